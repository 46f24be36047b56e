import { describe, expect, test } from 'vitest';
import {
  asksTwice,
  comesBackTo,
  insists,
  isCutOff,
  isOpenQuestion,
  isYesOrNo,
  mayAnswer,
} from '../../../src/domain/signals/open-questions.ts';
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

describe('a reply to "is the knife ready by Friday"', () => {
  const answers = (reply: string, question = 'is the knife ready by Friday') => {
    const { reading, caller, agent } = talkIn('en-US', [`c: ${question}`, `a: ${reply}`]);
    return mayAnswer(reading, caller, agent);
  };

  test.each([
    ['yes', 'Yes, it is.'],
    ['no', 'No, not before Monday.'],
    ['the verb', 'It is.'],
    ['another value and little else', 'On Monday.'],
    ['another value beside what was asked for', 'Putting an edge on a knife takes about three days in our workshop.'],
    ['a refusal', "I'm afraid I can't tell."],
    ['a hand-over', 'Let me put you through to the workshop.'],
    ['a call back', 'We will call you back about it.'],
    ['that it was not heard', "Sorry, I didn't catch that."],
  ])('may answer with %s', (_, reply) => {
    expect(answers(reply)).toBe(true);
  });

  test.each([
    ['a courtesy', 'Thank you for calling the grinder.'],
    ['the same value read back', 'Friday, I see.'],
    ['a question with a value', 'Was it three knives?'],
    ['another matter with a value in it', 'Our family workshop opened its doors in 1984 beside the harbour.'],
    ['its own business', 'Our stones come from Belgium.'],
  ])('does not with %s', (_, reply) => {
    expect(answers(reply)).toBe(false);
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

test.each([
  ['en-US', 'right but what about the lift', true],
  ['en-US', 'what about the lift', false],
  ['en-US', 'I have asked what it costs to sharpen them but fine', false],
  ['de-DE', 'ja aber der Aufzug', true],
  ['fr-FR', "oui mais l'ascenseur", true],
  ['es-ES', 'ya pero el ascensor', true],
])('in %s "%s" insists: %s', (language, said, expected) => {
  const { reading, caller } = talkIn(language, ['a: Grinder.', `c: ${said}`]);
  expect(insists(reading, caller)).toBe(expected);
});

test.each([
  ['Are you open? And is there parking?', true],
  ['Are you open?', false],
  ['are you open and is there parking', false],
])('"%s" asks twice: %s', (said, expected) => {
  expect(asksTwice(talkIn('en-US', ['a: Grinder.', `c: ${said}`]).caller)).toBe(expected);
});

describe('a caller comes back to a question', () => {
  const backTo = (...lines: string[]) => {
    const { reading, caller } = talkIn('en-US', lines);
    const back = comesBackTo(reading, caller);
    return back === null ? null : `${back.word} of ${back.question.index}`;
  };

  test.each([
    [
      'by asking again',
      ['c: do you sharpen shears', 'a: We are a family business.', 'c: but do you do shears'],
      'shears of 0',
    ],
    [
      'with a small word and the matter',
      ['c: how about a discount', 'a: We use only natural stones.', 'c: right and the discount'],
      'discount of 0',
    ],
    [
      'in another form of the word',
      ['c: are you grinding axes', 'a: Our stones come from Belgium.', 'c: so can you grind them'],
      'grind of 0',
    ],
    [
      'a few turns later',
      [
        'c: do you sharpen shears',
        'a: We are a family business.',
        'c: I see',
        'a: Since my grandmother.',
        'c: so what about the shears',
      ],
      'shears of 0',
    ],
  ])('%s', (_, lines, expected) => {
    expect(backTo(...lines)).toBe(expected);
  });

  test.each([
    ['a reply took it up', ['c: do you sharpen shears', 'a: Our shears are sold out.', 'c: but the shears']],
    ['it was answered', ['c: do you sharpen shears', 'a: Yes.', 'c: and do shears take long']],
    ['it names another matter', ['c: do you sharpen shears', 'a: We are a family business.', 'c: do you do axes']],
    ['the caller says thanks', ['c: do you sharpen shears', 'a: We are a business.', 'c: thanks but no shears then']],
    ['nothing was asked', ['c: I have shears', 'a: We are a family business.', 'c: so the shears']],
    ['only tells', ['c: do you sharpen shears', 'a: We are a family business.', 'c: shears I said']],
    [
      'it was too long ago',
      [
        'c: do you sharpen shears',
        ...Array.from({ length: 4 }, () => ['a: Our stones come from Belgium.', 'c: I see']).flat(),
        'a: Fine.',
        'c: so the shears',
      ],
    ],
  ])('not where %s', (_, lines) => {
    expect(backTo(...lines)).toBeNull();
  });
});
