import { describe, expect, test } from 'vitest';
import { isCutOff, isOpenQuestion, isYesOrNo } from '../../../src/domain/signals/open-questions.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { asLine } from '../acts/talk.ts';
import { scripted } from './scripted-call.ts';

function talkIn(language: string, lines: readonly string[]) {
  const reading = readCall(scripted(lines.map(asLine), { language }));
  const caller = reading.caller.at(-1);
  const agent = reading.agent.at(-1);
  if (caller === undefined || agent === undefined) throw new Error('Somebody says nothing.');
  return { reading, caller, agent };
}

describe('a caller asks', () => {
  const asks = (language: string, said: string) => {
    const { reading, caller } = talkIn(language, ['a: Grinder.', `c: ${said}`]);
    return isOpenQuestion(reading, caller);
  };

  test.each([
    ['en-US', 'do you sharpen scissors'],
    ['en-US', 'Do you sharpen scissors?'],
    ['en-US', 'and how much is that'],
    ['en-US', 'I have a garden shear. do you grind that one'],
    ['en-US', "that's still too dear isn't it"],
    ['en-US', 'today yes. would there be a charge'],
    ['de-DE', 'schleifen Sie auch Scheren?'],
    ['de-DE', 'was kostet das denn'],
    ['de-DE', 'und wie lange dauert es'],
    ['fr-FR', 'est-ce que vous affûtez les ciseaux'],
    ['fr-FR', 'et combien ça coûte'],
    ['es-ES', '¿afilan también tijeras?'],
    ['es-ES', 'cuánto cuesta afilarlas'],
  ])('in %s: %s', (language, said) => {
    expect(asks(language, said)).toBe(true);
  });

  test.each([
    ['en-US', 'I have two scissors'],
    ['en-US', 'really now?'],
    ['en-US', 'thanks can I go now'],
    ['en-US', 'yes that would be fine'],
    ['en-US', 'yes it was the one in white with handles'],
    ['de-DE', 'ja am Freitag kann ich gut vorbeikommen'],
    ['fr-FR', 'oui le problème est que je les ai perdus'],
    ['en-US', 'is this the right number for the bakery? oh I have the wrong number'],
    ['de-DE', 'ich habe zwei Scheren'],
    ['fr-FR', "j'ai deux ciseaux à affûter"],
    ['es-ES', 'tengo dos tijeras para afilar'],
  ])('nothing in %s: %s', (language, said) => {
    expect(asks(language, said)).toBe(false);
  });
});

test.each([
  ['en-US', 'Yes, we do.', true],
  ['en-US', 'No problem at all.', true],
  ['en-US', 'Nobody does.', false],
  ['en-US', 'Not without an appointment.', true],
  ['en-US', 'Not at this time of year.', true],
  ['en-US', 'Not at all, good day.', false],
  ['en-US', 'Not to worry.', false],
  ['de-DE', 'Ja, gern.', true],
  ['de-DE', 'Nein.', true],
  ['fr-FR', 'Oui, bien sûr.', true],
  ['fr-FR', 'Non, désolé.', true],
  ['es-ES', 'Sí, claro.', true],
  ['es-ES', 'No, lo siento.', true],
])('in %s "%s" is yes or no: %s', (language, reply, expected) => {
  const { reading, agent } = talkIn(language, ['c: schleifen', `a: ${reply}`]);
  expect(isYesOrNo(reading, agent)).toBe(expected);
});

test.each([
  ['en-US', 'could you tell me the', true],
  ['en-US', 'I wanted to ask about the opening hours', false],
  ['en-US', 'the', false],
  ['de-DE', 'ich wollte fragen ob', true],
  ['de-DE', 'ich wollte nach den Zeiten fragen', false],
  ['fr-FR', 'je voulais savoir si le', true],
  ['es-ES', 'quería saber por', true],
])('in %s "%s" breaks off: %s', (language, said, expected) => {
  const { reading, caller } = talkIn(language, ['a: Grinder.', `c: ${said}`]);
  expect(isCutOff(reading, caller)).toBe(expected);
});
