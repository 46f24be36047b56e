import { expect, test } from 'vitest';
import { ticksOf } from '../../web/pages/call/ticks.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

test.each([
  ['a short call', 44 * SECOND, 5, 10 * SECOND],
  ['no more than fit', 44 * SECOND, 2, 30 * SECOND],
  ['hours', 5.5 * HOUR, 8, HOUR],
  ['one millisecond', 1, 8, SECOND],
])('times under the timeline are round: %s', (_, end, atMost, step) => {
  const ticks = ticksOf(end, atMost);
  expect(ticks).toEqual(Array.from({ length: Math.floor(end / step) + 1 }, (_each, tick) => tick * step));
  expect(ticks.length - 1).toBeLessThanOrEqual(atMost);
});

test('of a call that is longer than any round step allows there are still no more times than fit', () => {
  expect(ticksOf(10_000 * HOUR, 5)).toHaveLength(6);
});
