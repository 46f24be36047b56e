import { expect, test } from 'vitest';
import { addBins, binOf, medianOf } from '../../../src/domain/metrics/median.ts';
import { seededRandom } from '../../../src/domain/random.ts';

const binned = (values: number[]) => {
  const bins = new Map<number, number>();
  for (const value of values) bins.set(binOf(value), (bins.get(binOf(value)) ?? 0) + 1);
  return bins;
};

test('a median read from bins is within five per cent of the true one, and the true one within its interval', () => {
  const { next } = seededRandom(3);
  for (let round = 0; round < 200; round += 1) {
    const values = Array.from({ length: 31 + Math.floor(next() * 400) }, () => Math.round(100 * Math.exp(next() * 5)));
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
    const { n, value, interval } = medianOf(binned(values));
    expect(n).toBe(values.length);
    expect(Math.abs((value ?? 0) - middle) / middle).toBeLessThanOrEqual(0.06);
    expect(interval?.lower).toBeLessThanOrEqual(middle * 1.05);
    expect(interval?.upper).toBeGreaterThanOrEqual(middle * 0.95);
  }
});

test('bins of two days together are the bins of their calls', () => {
  const [a, b] = [
    [100, 200, 5_000],
    [90, 201],
  ];
  expect(addBins([binned(a ?? []), binned(b ?? [])])).toEqual(binned([...(a ?? []), ...(b ?? [])]));
});

test('nothing read is no value, and times under a millisecond are in the first bin', () => {
  expect(medianOf(new Map())).toEqual({ n: 0, value: null, interval: null });
  expect([binOf(0), binOf(-5), binOf(1)]).toEqual([0, 0, 0]);
});
