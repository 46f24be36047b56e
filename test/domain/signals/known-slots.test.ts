import { describe, expect, test } from 'vitest';
import { knownSlot, saidAlone, saidBefore } from '../../../src/domain/signals/known-slots.ts';
import { readCall } from '../../../src/domain/signals/reading.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from './scripted-call.ts';

/** The reading of a talk, the agent's last question in it and the answer to it. */
function asked(lines: readonly (string | Line)[], given: Given = {}) {
  const reading = readCall(
    scripted(
      lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
      given,
    ),
  );
  const question = reading.agent.at(-1);
  const answer = reading.caller.at(-1);
  if (question === undefined || answer === undefined) throw new Error('Nobody asks or answers.');
  return { reading, question, answer };
}

const slotOf = (slot: string, lines: readonly (string | Line)[], given?: Given) => {
  const { reading, question } = asked(lines, given);
  return knownSlot(reading, question, slot);
};

describe('a value that is asked for once more', () => {
  test.each([
    ['date', 'en-US', 'c: a skip for Tuesday please', 'a: Which day?', 'c: Tuesday'],
    ['date', 'en-US', 'c: collect it on the 4th of May', 'a: On which date?', 'c: the fourth'],
    ['date', 'en-US', 'c: can it be tomorrow', 'a: Which day?', 'c: tomorrow'],
    ['time', 'en-US', 'c: around half past nine', 'a: What time suits you?', 'c: half nine, so nine thirty'],
    ['size', 'en-US', 'c: a large skip', 'a: Which size?', 'c: large'],
    ['email', 'en-US', 'c: write to ida at loom dot org', 'a: Your e-mail address?', 'c: ida@loom.org'],
    ['phone', 'en-US', 'c: my number is 0161 496 0021', 'a: Your number?', 'c: 0161 496 0021'],
    ['reference', 'en-US', 'c: order 44719', 'a: The order number?', 'c: four four seven one nine'],
    ['count:people', 'en-US', 'c: we are six people', 'a: For how many people?', 'c: six people'],
    ['date', 'de-DE', 'c: den Container am Dienstag bitte', 'a: An welchem Tag?', 'c: am Dienstag'],
    ['time', 'de-DE', 'c: so gegen halb zehn', 'a: Um wie viel Uhr?', 'c: neun Uhr dreißig'],
    ['date', 'fr-FR', 'c: une benne pour mardi', 'a: Quel jour ?', 'c: mardi'],
    ['time', 'es-ES', 'c: a las nueve y media', 'a: ¿A qué hora?', 'c: nueve y media'],
  ])('%s is known where the answer says it again (%s): %s', (slot, language, first, question, answer) => {
    expect(slotOf(slot, ['a: Skip hire.', first, question, answer], { language })).toBe(1);
  });

  test.each([
    ['date', 'another day', 'c: a skip for Tuesday please', 'a: Which day?', 'c: Wednesday'],
    ['date', 'a day that was not wanted', 'c: a skip but not on Tuesday', 'a: Which day?', 'c: Tuesday after all'],
    ['date', 'the weekday of a birth', 'c: I was born on the 4th of May 1971', 'a: Which day?', 'c: Tuesday'],
    ['date', 'a time', 'c: around half past nine', 'a: Which day?', 'c: half past nine'],
    [
      'reference',
      'three figures, which may be of two things',
      'c: bay four four seven',
      'a: The order number?',
      'c: four four seven',
    ],
    ['count:nights', 'as many of something else', 'c: we are six people', 'a: How many nights?', 'c: six nights'],
    ['colour', 'a slot that no value answers', 'c: a red one', 'a: Which colour?', 'c: red'],
    ['date', 'nothing that was said before', 'c: a skip please', 'a: Which day?', 'c: Tuesday'],
  ])('%s is not known from %s', (slot, _, first, question, answer) => {
    expect(slotOf(slot, ['a: Skip hire.', first, question, answer])).toBeNull();
  });

  test('what the agent had offered is no word of the caller', () => {
    expect(slotOf('date', ['a: We come on Tuesdays.', 'c: I see', 'a: Which day?', 'c: Tuesday'])).toBeNull();
  });

  test('where nobody answers nothing was said again', () => {
    expect(slotOf('date', ['c: a skip for Tuesday', 'a: Which day?'])).toBeNull();
  });
});

describe('an answer that only repeats', () => {
  const again = (first: string, question: string, answer: string, language = 'en-US') => {
    const { reading, answer: said } = asked(['a: Boat house.', first, question, answer], { language });
    return { run: saidBefore(reading, said), word: saidAlone(reading, said) };
  };

  test.each([
    ['en-US', 'c: two boats from ten till noon', 'a: For which hours?', 'c: from ten till noon'],
    ['de-DE', 'c: zwei Boote von zehn bis zwölf am Steg', 'a: Wo und wann?', 'c: zehn bis zwölf am Steg'],
    ['fr-FR', 'c: deux canots rouges dimanche', 'a: Lesquels et quand ?', 'c: canots rouges dimanche'],
    ['es-ES', 'c: dos barcas rojas el domingo', 'a: ¿Cuáles y cuándo?', 'c: barcas rojas el domingo'],
  ])('in a row of words was said before (%s)', (language, first, question, answer) => {
    expect(again(first, question, answer, language).run).toBe(1);
  });

  test.each([
    ['in another order', 'c: from noon till ten', 'c: ten noon'],
    ['with as much that is new', 'c: two boats from ten till noon', 'c: ten till noon but the red canoe with oars'],
    ['in a long sentence', 'c: ten till noon', `c: ten till noon ${'and then we row '.repeat(4)}`],
    ['in one word', 'c: the red canoe', 'c: canoe'],
  ])('%s says no row again', (_, first, answer) => {
    expect(again(first, 'a: And when?', answer).run).toBeNull();
  });

  test.each([
    ['one word alone', 'c: the leaking canoe please', 'a: Which boat?', 'c: canoe', 1],
    [
      'one word, and that it was said',
      'c: the leaking canoe',
      'a: Which boat?',
      'c: canoe like I said before you asked',
      1,
    ],
    ["a word of the agent's question", 'c: the leaking canoe', 'a: Canoe or kayak?', 'c: canoe', null],
    ['one of two of a kind', 'c: the canoe and kayak', 'a: Which boat?', 'c: canoe', null],
    ['a word in a sentence', 'c: the leaking canoe', 'a: Which boat?', 'c: the canoe that we bought in spring', null],
    ['a correction', 'c: the leaking canoe', 'a: Which boat?', 'c: no canoe', null],
    ['a question', 'c: the leaking canoe', 'a: Which boat?', 'c: canoe?', null],
  ])('%s', (_, first, question, answer, turn) => {
    expect(again(first, question, answer).word).toBe(turn);
  });

  test('the first turn of a call answers nothing', () => {
    const { reading, answer } = asked(['c: ten till noon', 'a: Yes?']);
    expect(saidBefore(reading, answer)).toBeNull();
    expect(saidAlone(reading, answer)).toBeNull();
  });
});
