import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { scripted } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

function keptAt(lines: readonly string[], language: string): number[] {
  const { signals } = analyseCall(scripted(lines.map(asLine), { language }), {});
  return signals.filter(({ code }) => code === 'correction_not_applied').map(({ turnIndex }) => turnIndex);
}

const KENNEL = 'a: Willow Kennels, which day would you like to bring him?';

describe('a caller thinks again in their own words', () => {
  test.each([
    [
      'a day, before the next question',
      [
        'c: the fifth please oh no sorry the sixth',
        'a: What breed is he?',
        'c: a setter',
        'a: You are booked for the fifth.',
      ],
      4,
    ],
    [
      'an hour, as a bare number',
      ['c: friday at eleven, actually no wait, four', 'a: Good. I have you down for Friday at eleven.'],
      2,
    ],
    [
      'a day, two turns later',
      [
        'c: the twelfth',
        'a: And his name?',
        'c: Bruno. sorry did I say twelfth, it should be the nineteenth',
        'a: Thanks. Bruno comes on the twelfth.',
      ],
      4,
    ],
    [
      'a number of animals',
      [
        'c: monday for two dogs',
        'a: Their names?',
        'c: Ida and Max. hold on no, three dogs',
        'a: Two dogs on Monday, all set.',
      ],
      4,
    ],
    ['a size', ['c: monday, he is a small dog, well, medium actually', 'a: A small dog on Monday, booked.'], 2],
  ])('about %s', (_, lines, turn) => {
    expect(keptAt([KENNEL, ...lines], 'en')).toEqual([turn]);
  });

  test.each([
    [
      'de',
      [
        'a: Wann möchten Sie ihn bringen?',
        'c: am Dienstag, ach nein Moment, lieber am Donnerstag',
        'a: Gut, Sie sind am Dienstag eingetragen.',
      ],
    ],
    [
      'es',
      [
        'a: ¿Qué día quiere traerlo?',
        'c: el martes, ay no perdón, mejor el jueves',
        'a: Muy bien, reservado para el martes.',
      ],
    ],
    [
      'fr',
      [
        'a: Quel jour voulez-vous venir ?',
        'c: je voudrais venir mardi, euh non pardon, plutôt jeudi',
        "a: Très bien, c'est noté pour mardi.",
      ],
    ],
  ])('and is not heard, in %s', (language, lines) => {
    expect(keptAt(lines, language)).toEqual([2]);
  });

  test.each([
    ['is heard', ['c: eleven on friday, actually no wait, four', 'a: Four on Friday, not eleven.']],
    [
      'gives two days to choose from',
      ['c: tuesday, or actually thursday is fine as well', 'a: You are booked for Tuesday.'],
    ],
    ['goes back to the first', ['c: monday, no wait, tuesday. hm no, monday is better', 'a: Monday it is.']],
    [
      'puts the agent right and is heard',
      ['c: thursday', 'a: Tuesday then.', 'c: no sorry thursday', 'a: Thursday it is, booked.'],
    ],
    [
      'is told that only the first is free',
      ['c: at nine, or make it eight', "a: I'm afraid eight is taken, I can do nine."],
    ],
    [
      'moves a visit',
      ['c: I have monday, sorry to bother you, could it be wednesday', 'a: Monday is moved to Wednesday.'],
    ],
    ['asks about opening hours', ['c: you close at five? no sorry six?', 'a: We close at five.']],
  ])('but nothing is kept where the caller %s', (_, lines) => {
    expect(keptAt([KENNEL, ...lines], 'en')).toEqual([]);
  });
});

test('what was put right before and is said again is kept, and not read back wrongly', () => {
  const lines = [
    'a: I can offer three thirty, shall I book that?',
    'c: no, nine thirty please',
    'a: You are booked for three thirty. Goodbye!',
    "c: that's not what I said, I said nine thirty",
  ];
  const { signals } = analyseCall(scripted(lines.map(asLine)), {});
  expect(signals.map(({ code, turnIndex }) => `${code} ${turnIndex}`)).toContain('correction_not_applied 2');
  expect(signals.map(({ code }) => code)).not.toContain('readback_mismatch');
});

test('a weekday that was put right is kept in the day of the month that went with it', () => {
  const lines = [
    'a: I could do Tuesday the 13th or Thursday the 15th.',
    "c: let's go tuesday. ah no hold up tuesday I'm in court make it the thursday one",
  ];
  const kept = (last: string) => turnsOf('correction_not_applied', ['a: Clinic.', 'c: hi', ...lines, last, 'c: ok']);
  expect(kept("a: You're booked for the 13th.")).toEqual([4]);
  expect(kept("a: You're booked for the 15th.")).toEqual([]);
});

test('an amount that was put right without its unit is kept with one', () => {
  const lines = ['a: For what amount?', 'c: eighty no wait sixty', 'a: Whose name?', 'c: Gisela Thode'];
  const kept = (last: string) =>
    turnsOf('correction_not_applied', ['a: Shop.', 'c: a voucher please', ...lines, last, 'c: ok']);
  expect(kept('a: The voucher for eighty euros is on its way.')).toEqual([6]);
  expect(kept('a: The voucher for sixty euros is on its way.')).toEqual([]);
});
