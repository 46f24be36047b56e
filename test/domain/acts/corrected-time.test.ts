import { describe, expect, test } from 'vitest';
import { correctedTime, timesOfHour } from '../../../src/domain/acts/corrected-time.ts';
import { talk } from './talk.ts';

/** What a number of the caller makes of the time that the agent said. */
function corrected(heard: string, said: string): string | null {
  const [agent, turn] = talk(`a: ${heard}`, `c: ${said}`).spoken;
  if (agent === undefined || turn === undefined) throw new Error('Nothing was said.');
  const found = correctedTime(
    turn,
    turn.values.filter(({ slot }) => slot === 'count'),
    agent,
  );
  if (found === null) return null;
  expect(found).toMatchObject({ turn: 1, slot: 'time', oldBy: 'agent', oldTurn: 0, explicit: true });
  expect(found.now).toMatchObject({ kind: 'time', slot: 'time' });
  return `${found.old.text} -> ${found.now.text} ${found.now.forms.join(' ')}`;
}

test.each([
  ["Two o'clock, then.", 'no three', "Two o'clock -> three 0180 0900"],
  ["Two o'clock, then.", 'no, three, I said three', "Two o'clock -> three 0180 0900"],
  ["Two o'clock, then.", 'not two but three', "Two o'clock -> three 0180 0900"],
  ['At 2:30 pm, then.', 'no twelve', '2:30 pm -> twelve 0000 0720'],
  ['At 2 pm, then.', 'no fifteen', '2 pm -> fifteen 0900'],
  ['At 2 pm, then.', 'no twenty four', '2 pm -> twenty four 0000'],
])('a number alone is the hour that the agent had wrong: "%s", "%s"', (heard, said, expected) => {
  expect(corrected(heard, said)).toBe(expected);
});

test.each([
  ['the same hour', "Two o'clock, then.", 'no two'],
  ['the same hour of the other half of the day', 'At 2 pm, then.', 'no two'],
  ['two numbers', "Two o'clock, then.", 'no three four times'],
  ['no number', "Two o'clock, then.", 'no'],
  ['a denied number alone', "Two o'clock, then.", 'not three'],
  ['more than the hours of a day', "Two o'clock, then.", 'no twenty five'],
  ['nothing', "Two o'clock, then.", 'no zero'],
  ['a number to two times', "Two o'clock or four o'clock?", 'no three'],
  ['a number to no time', 'On Friday, then.', 'no three'],
])('%s is no hour: "%s", "%s"', (_, heard, said) => {
  expect(corrected(heard, said)).toBeNull();
});

describe('the minutes of the day that an hour may mean', () => {
  test.each<[number, string[] | null]>([
    [1, ['0060', '0780']],
    [9, ['0540', '1260']],
    [12, ['0000', '0720']],
    [13, ['0780']],
    [24, ['0000']],
    [0, null],
    [25, null],
    [-3, null],
    [2.5, null],
    [Number.NaN, null],
  ])('%d: %j', (hour, minutes) => {
    expect(timesOfHour(hour)).toEqual(minutes);
  });
});
