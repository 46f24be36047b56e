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
      'beside another value of the kind',
      ['c: nine thirty', 'a: Nine thirty.', "c: I've got a lesson till noon make it two o'clock"],
      ["2 time: noon -> two o'clock, caller, explicit", "2 time: nine thirty -> two o'clock, caller, explicit"],
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
      'instead of another',
      ['a: A medium latte.', 'c: could i have a large instead of the medium'],
      ['1 size: medium -> large, agent, explicit'],
    ],
    [
      'with the old one said again',
      ['c: the twelfth', 'a: And when?', 'c: at noon. oh did I say the twelfth it should be the nineteenth'],
      ['2 date: twelfth -> nineteenth, caller, explicit'],
    ],
    [
      'though the reason names the old one again',
      ['a: Monday or Wednesday?', "c: monday no scratch that I'm away monday wednesday"],
      ['1 date: monday -> wednesday, caller, explicit'],
    ],
    [
      'by a bare number in the same breath',
      ['a: At what time?', 'c: eleven, actually no wait, four'],
      ['1 count: eleven -> four, caller, explicit'],
    ],
    ['by the number one', ['c: at ten, no, one.'], ['0 count: ten -> one, caller, explicit']],
    [
      'by the hour of a time',
      ['c: half past two, hm no, make it four'],
      ['0 time: half past two -> four, caller, explicit'],
    ],
    [
      'by the count of the same thing',
      ['c: four vans please', 'a: From when?', 'c: from noon. hang on no, five vans'],
      ['2 count: four -> five, caller, explicit'],
    ],
    [
      'with the word behind it',
      ["c: it's a small cat, well, medium actually"],
      ['0 size: small -> medium, caller, explicit'],
    ],
    [
      'with "instead"',
      ['a: And the day?', 'c: monday', 'a: Monday. Your name?', 'c: Abel. could we do tuesday instead'],
      ['3 date: Monday -> tuesday, agent, explicit'],
    ],
    [
      'in German',
      ['a: Welcher Tag passt Ihnen?', 'c: am Dienstag, ach nein Moment, lieber am Donnerstag'],
      ['1 date: Dienstag -> Donnerstag, caller, explicit'],
    ],
    [
      'in Spanish',
      ['a: ¿Para qué día lo quiere?', 'c: para el martes, ay no perdón, para el jueves'],
      ['1 date: martes -> jueves, caller, explicit'],
    ],
    [
      'in French',
      ['a: Quel jour vous convient ?', 'c: je voudrais venir mardi, euh non pardon, plutôt jeudi'],
      ['1 date: mardi -> jeudi, caller, explicit'],
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
    [
      'a birthday after a day',
      ['c: well i need to move my visit on tuesday', 'a: Your date of birth?', 'c: well the 10th of december 1990'],
    ],
    ['several things', ['c: two large ones and a small one']],
    ['an end of a number that nobody had said', ['a: K 7 3 8 5, right?', 'c: 7 3 5 8']],
    ['a second day that would do too', ['a: Which day?', 'c: tuesday or actually thursday is fine as well']],
    [
      'a day that is asked about for another matter',
      ['c: I have a slot on monday, sorry to trouble you, move it to wednesday'],
    ],
    ['a word of regret between two numbers', ['a: How many?', "c: four, sorry I'm out of breath, and two dogs"]],
    ['another thing of another size', ['c: one small coffee and, oh wait, also a large tea']],
    ['a no that begins another sentence', ['c: nobody came on monday, no one called, and today is thursday']],
    ['to make it somewhere', ['a: You are down for Tuesday.', "c: I can't make it Tuesday"]],
    ['two numbers of a list', ['c: my girls are four and nine', 'a: How old?', 'c: like I said four and nine']],
    ['another hour without a no', ["a: Two o'clock for the tennis court.", 'c: there are five of us']],
    ['a denial that is no name', ['a: Is the kettle working?', 'c: not working at all it just hums']],
    [
      'a word alike in a long story',
      ['a: Morton Roofing.', `c: no it's ${'dripping and '.repeat(8)} mortar came down`],
    ],
  ])('%s is none', (_name, lines) => {
    expect(correctionsOf(...lines)).toEqual([]);
  });

  test('who goes back to the first value puts that right', () => {
    expect(correctionsOf('c: monday, no wait, tuesday. hm no, monday is better')).toEqual([
      '0 date: tuesday -> monday, caller, explicit',
    ]);
  });

  test('who only asks puts nothing right for sure', () => {
    expect(correctionsOf('c: you close at five? no sorry six?')).toEqual(['0 count: five -> six, caller']);
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
