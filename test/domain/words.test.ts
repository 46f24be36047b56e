import { expect, test } from 'vitest';
import { dateInWords, dayInWords } from '../../src/domain/words.ts';

test.each([
  ['2026-11-28T14:05:00Z', '28 November 2026', '28 November, 14:05 UTC'],
  ['2026-11-28T00:00:00Z', '28 November 2026', '28 November'],
  // To the minute: half a minute past midnight is still midnight.
  ['2026-11-28T00:00:30Z', '28 November 2026', '28 November'],
  ['2026-01-01T00:01:00Z', '1 January 2026', '1 January, 00:01 UTC'],
  ['2026-12-31T23:59:59.999Z', '31 December 2026', '31 December, 23:59 UTC'],
  ['2026-03-01T00:30:00+02:00', '28 February 2026', '28 February, 22:30 UTC'],
  ['2028-02-29T12:00:00Z', '29 February 2028', '29 February, 12:00 UTC'],
])('%s is %s, and %s', (at, date, day) => {
  expect(dateInWords(new Date(at))).toBe(date);
  expect(dayInWords(new Date(at))).toBe(day);
});
