import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { knownAnswer, knownSlot, saidAlone, saidBefore } from '../../../src/domain/signals/known-slots.ts';
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
    expect(slotOf(slot, ['a: Skip hire.', first, question, answer], { language })).toEqual({
      turn: 1,
      by: 'same_answer',
    });
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

describe('a name that is asked for once more', () => {
  test.each([
    ['alone', 'c: Haverkamp here I need a skip', 'c: Haverkamp'],
    ['with a little beside it', 'c: Haverkamp here I need a skip', 'c: yes Haverkamp please'],
    ['spelled too', 'c: Haverkamp here', 'c: it is Haverkamp that is spelled H A V E R K A M P for you'],
    ['as told already', 'c: Haverkamp here', 'c: I already told you that my name is Haverkamp and I need a skip'],
  ])('is known where the answer says it %s', (_, first, answer) => {
    expect(slotOf('name', ['a: Skip hire.', first, 'a: Your name?', answer])).toEqual({ turn: 1, by: 'same_answer' });
  });

  test.each([
    ['another one is told', 'c: Haverkamp here', 'c: Lindqvist'],
    ['a common word comes again', 'c: I would like to please', 'c: yes please would'],
    ['a short word comes again', 'c: Roe here', 'c: Roe'],
    [
      'it stands in a sentence about more',
      'c: Haverkamp here',
      'c: my sister Gudrun who lives beside the Haverkamp farm',
    ],
  ])('is not known where %s', (_, first, answer) => {
    expect(slotOf('name', ['a: Skip hire.', first, 'a: Your name?', answer])).toBeNull();
  });
});

describe('a value that a tool was called with', () => {
  const tool = (args: { [name: string]: Json }, body: Json = { found: true }): Line[] => [
    { call: 'find_customer', args },
    { result: 'find_customer', body },
  ];
  const known = (slot: string, lines: Line[], answer = 'c: sure') =>
    slotOf(slot, ['a: Skip hire.', 'c: hello', ...lines, 'a: May I have that?', answer]);

  test.each<[string, { [name: string]: Json }]>([
    ['name', { name: 'Pia Roth' }],
    ['name', { last_name: 'Roth' }],
    ['name', { customer: { fullName: 'Pia Roth' } }],
    ['email', { e_mail: 'pia@roth.org' }],
    ['postcode', { zip: '8004' }],
    ['postcode', { postal_code: '8004' }],
    ['account', { customer_id: 'K-4471' }],
    ['birth_date', { dob: '1971-05-04' }],
  ])('%s is known from the arguments %j', (slot, args) => {
    expect(known(slot, tool(args))).toEqual({ turn: 2, by: 'tool' });
  });

  test.each<[string, string, Line[]]>([
    ['an empty argument', 'name', tool({ name: '' })],
    ['another argument', 'name', tool({ email: 'pia@roth.org' })],
    ['a number in place of a text', 'postcode', tool({ zip: 8004 })],
    ['a tool that failed', 'name', tool({ name: 'Pia Roth' }, { status: 500, message: 'down' })],
    ['a tool that found nobody', 'name', tool({ name: 'Pia Roth' }, { success: false, message: 'Not found' })],
    ['a tool without an answer', 'name', [{ call: 'find_customer', args: { name: 'Pia Roth' } }]],
    ['the name of a thing', 'name', tool({ product_name: 'Big skip' })],
    ['the name of a street', 'name', tool({ street_name: 'Mill Row' })],
  ])('nothing is known from %s', (_, slot, lines) => {
    expect(known(slot, lines)).toBeNull();
  });

  test('it is asked of somebody else where the answer is another', () => {
    expect(known('name', tool({ name: 'Pia Roth' }), 'c: Oskar Lindqvist')).toBeNull();
    expect(known('name', tool({ name: 'Pia Roth' }), 'c: Oskar Roth')).toBeNull();
    expect(known('name', tool({ name: 'Pia Roth' }), 'c: I told you it is Pia')).not.toBeNull();
  });
});

describe('an open question', () => {
  const from = (...lines: string[]) => {
    const { reading, question } = asked(lines);
    return knownAnswer(reading, question);
  };

  test.each([
    ['a name', 'c: my daughter Wilhelmina wants to row', 'c: Wilhelmina'],
    ['a name that owns something', "c: it is about Wilhelmina's boat", 'c: Wilhelmina'],
    ['a number of two figures', 'c: boat 42 leaks', 'c: 42'],
  ])('was answered before by %s', (_, first, answer) => {
    expect(from('a: Boat house.', first, 'a: And who or which is it?', answer)).toBe(1);
  });

  test.each([
    ['another name', 'c: my daughter Wilhelmina wants to row', 'c: Gudrun'],
    ['one figure, said of many things', 'c: 4 of us', 'c: 4'],
    ['a question', 'c: my daughter Wilhelmina wants to row', 'c: Wilhelmina?'],
    ['a no', 'c: my daughter Wilhelmina wants to row', 'c: no Wilhelmina'],
    ['one of several', 'c: my daughters Wilhelmina and Gudrun', 'c: Wilhelmina'],
    ['a name and a number', 'c: Wilhelmina in boat 42', 'c: Wilhelmina 42'],
    ['a word at the beginning of a sentence', 'c: It leaks. Badly.', 'c: Badly'],
  ])('was not answered before by %s', (_, first, answer) => {
    expect(from('a: Boat house.', first, 'a: And who or which is it?', answer)).toBeNull();
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
