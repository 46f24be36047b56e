import { expect, test } from 'vitest';
import { firstSlice, type Listing, nextSlice, type Slice } from '../../../src/domain/calls/slices.ts';

const TO = '2026-03-31T10:00:00.123Z';
const daysBefore = (days: number) => new Date(Date.parse(TO) - days * 86_400_000).toISOString();

/** @param pages that each slice takes */
function slicesOf(listing: Listing, pages: number): Slice[] {
  const slices = [firstSlice(listing)];
  for (let last = slices[0]; last; ) {
    const next = nextSlice(listing, last, pages);
    if (next) slices.push(next);
    last = next ?? undefined;
  }
  return slices;
}

const lengths = (slices: readonly Slice[]) =>
  slices.slice(0, -1).map(({ since, before }) => (Date.parse(before ?? TO) - Date.parse(since ?? '')) / 86_400_000);

test.each([
  ['thirty days of few calls', 30, 1, [7, 14]],
  ['thirty days of many calls', 30, 50, [7, 7, 7, 7]],
  ['a week', 7, 1, []],
])('%s', (_, days, pages, expected) => {
  expect(lengths(slicesOf({ from: daysBefore(days), to: TO }, pages))).toEqual(expected);
});

test('after a slice of very many pages the next is half as long, but a day at least', () => {
  expect(lengths(slicesOf({ from: daysBefore(16), to: TO }, 101))).toEqual([7, 3.5, 1.75, 1, 1, 1]);
});

test.each([1, 2, 1_000])('slices of %s pages lie side by side, and the last one has no beginning', (pages) => {
  for (const from of [null, daysBefore(0.5), daysBefore(30), daysBefore(365), daysBefore(3_000)]) {
    const slices = slicesOf({ from, to: TO }, pages);
    expect(slices[0]?.before).toBeNull();
    expect(slices.at(-1)?.since).toBeNull();
    expect(slices.slice(1).map(({ before }) => before)).toEqual(slices.slice(0, -1).map(({ since }) => since));
    expect(slices.slice(0, -1).every(({ since }) => since !== null && (from === null || since > from))).toBe(true);
  }
});

test('without a beginning, what is older than two years is read by one slice', () => {
  const slices = slicesOf({ from: null, to: TO }, 1);
  expect(lengths(slices).reduce((sum, days) => sum + days, 0)).toBeGreaterThan(600);
  expect(slices.length).toBeLessThan(15);
});
