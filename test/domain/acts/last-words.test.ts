import { describe, expect, test } from 'vitest';
import { talk } from './talk.ts';

function correctionsOf(...lines: string[]): string[] {
  return talk(...lines).talk.corrections.map(
    ({ turn, slot, old, now, oldBy, explicit }) =>
      `${turn} ${slot}: ${old.text} -> ${now.text}, ${oldBy}${explicit ? ', explicit' : ''}`,
  );
}

describe('a value that the caller puts right', () => {
  test.each([
    [
      'after a no',
      ['a: Thursday at ten, then.', 'c: no Tuesday not Thursday'],
      ['1 date: Thursday -> Tuesday, agent, explicit'],
    ],
    [
      'in the same breath',
      ['c: a table for Friday no wait Saturday'],
      ['0 date: Friday -> Saturday, caller, explicit'],
    ],
    [
      'with "I said"',
      ['a: Two bags of gravel.', 'c: i said five bags'],
      ['1 count:bags: Two -> five, agent, explicit'],
    ],
    [
      'without a word for it',
      ['a: How many?', 'c: six people', 'a: For four people.', 'c: six people'],
      ['3 count:people: four -> six, agent'],
    ],
    [
      'by thinking again',
      ['c: a large coffee please', 'a: Anything to eat?', 'c: actually make that a small'],
      ['2 size: large -> small, caller, explicit'],
    ],
    [
      'at the end of a number',
      ['a: 0 7 7 1 2 9 4, right?', 'c: no two nine six at the end'],
      ['1 code: 0 7 7 1 2 9 4 -> two nine six, agent, explicit'],
    ],
    [
      'at the end of a number that the caller had said before, without a word for it',
      ['c: my locker is K 7 3 5 8', 'a: K 7 3 8 5, right?', 'c: 7 3 5 8'],
      ['2 code: K 7 3 8 5 -> 7 3 5 8, agent, explicit'],
    ],
    [
      'in the letters of a number plate',
      ['a: That is W F one nine K D L.', "c: not D it's T for tango K T L"],
      ['1 code: W F one nine K D L -> K T L, agent, explicit'],
    ],
    [
      'by its hour alone',
      ["a: Two o'clock for the tennis court.", 'c: no five i said five not two'],
      ["1 time: Two o'clock -> five, agent, explicit"],
    ],
    [
      'by a small day alone',
      ['a: Monday the second of March.', 'c: no no the third, i was away'],
      ['1 date: Monday the second of March -> third, agent, explicit'],
    ],
    [
      'that is a number denied in the same breath',
      ['c: nineteen Mill Row uh not nineteen i mean twenty nine'],
      ['0 count: nineteen -> twenty nine, caller, explicit'],
    ],
    [
      'that is a street',
      ["c: it's on Quarry Lane er not Lane, Quarry Bank, by the pond"],
      ['0 name: Lane -> Bank, caller, explicit'],
    ],
    [
      'that is a name',
      ['a: Thank you. Is that for Mr Morley?', 'c: no morland'],
      ['1 name: Morley -> morland, agent, explicit'],
    ],
    [
      'instead of another',
      ['a: A medium latte.', 'c: could i have a large instead of the medium'],
      ['1 size: medium -> large, agent, explicit'],
    ],
  ])('%s is a correction', (_name, lines, corrections) => {
    expect(correctionsOf(...lines)).toEqual(corrections);
  });

  test.each([
    ['a choice between two', ['a: Tuesday or Thursday?', 'c: Thursday']],
    ['a choice that leaves the other out', ['a: Tuesday or Thursday?', 'c: not Tuesday Thursday is good']],
    ['another kind of number', ['a: That is two nights.', 'c: and three guests']],
    ['the same value in other words', ['a: For the 4th of May.', 'c: no yes the fourth of may']],
    ['a second code', ['a: Order 44918.', 'c: no my phone number is 0 7 7 0 0 9 1 2 3']],
    ['a no to an offer', ['a: Anything else?', 'c: no thanks']],
    ['several things', ['c: two large ones and a small one']],
    ['an end of a number that nobody had said', ['a: K 7 3 8 5, right?', 'c: 7 3 5 8']],
    ['another hour without a no', ["a: Two o'clock for the tennis court.", 'c: there are five of us']],
    ['a denial that is no name', ['a: Is the kettle working?', 'c: not working at all it just hums']],
    [
      'a word alike in a long story',
      ['a: Morton Roofing.', `c: no it's ${'dripping and '.repeat(8)} mortar came down`],
    ],
  ])('%s is none', (_name, lines) => {
    expect(correctionsOf(...lines)).toEqual([]);
  });

  test("the caller's last word on a slot is kept with what it replaced", () => {
    const { lastWords } = talk('c: on Monday', 'a: Monday it is.', 'c: sorry i meant Wednesday').talk;
    expect(lastWords.get('date')).toMatchObject({
      turn: 2,
      value: { text: 'Wednesday' },
      replaced: { text: 'Monday' },
    });
  });
});
