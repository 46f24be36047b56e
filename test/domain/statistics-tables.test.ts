import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  benjaminiHochberg,
  fisherEither,
  fisherGreater,
  riskRatio,
  type TwoByTwo,
} from '../../src/domain/statistics-tables.ts';

function table(a: number, b: number, c: number, d: number): TwoByTwo {
  return { with: { k: a, n: a + b }, without: { k: c, n: c + d } };
}

test.each([
  // Fisher's cups of tea, and his twins.
  [3, 1, 1, 3, 0.2428571],
  [4, 0, 0, 4, 0.0142857],
  [10, 3, 2, 15, 0.0004652],
  [0, 5, 3, 2, 1],
  [1, 9, 11, 3, 0.9999663],
])('Fisher for %i, %i and %i, %i is %f', (a, b, c, d, p) => {
  expect(fisherGreater(table(a, b, c, d))).toBeCloseTo(p, 6);
});

const cells = fc.tuple(fc.nat(40), fc.nat(40), fc.nat(40), fc.nat(40));

test('Fisher agrees with adding up all tables', () => {
  fc.assert(
    fc.property(cells, ([a, b, c, d]) => {
      const found = fisherGreater(table(a, b, c, d));
      expect(found).toBeCloseTo(addedUp(a, b, c, d), 9);
      expect(fisherEither(table(a, b, c, d))).toBeCloseTo(fisherEither(table(c, d, a, b)), 9);
    }),
  );
});

test('Fisher stays finite and quick for a million calls', () => {
  expect(fisherGreater(table(60_000, 40_000, 200_000, 700_000))).toBe(0);
  expect(fisherGreater(table(3_050, 97_000, 27_000, 873_000))).toBeGreaterThan(0.1);
  expect(fisherGreater(table(2_000, 98_000, 30_000, 870_000))).toBeCloseTo(1, 9);
});

test('Benjamini and Hochberg on their own example', () => {
  const values = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
  ];
  const kept = benjaminiHochberg(values).filter((value) => value <= 0.05);
  expect(kept).toHaveLength(4);
  expect(kept[3]).toBeCloseTo(0.035625, 6);
});

test('adjusted values keep the order of the values and never fall below them', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (values) => {
      const adjusted = benjaminiHochberg(values);
      for (const [i, value] of values.entries()) {
        expect(adjusted[i]).toBeGreaterThanOrEqual(value - 1e-12);
        expect(adjusted[i]).toBeLessThanOrEqual(1);
        for (const [j, other] of values.entries()) {
          if (value < other) expect(adjusted[i] ?? 0).toBeLessThanOrEqual(adjusted[j] ?? 0);
        }
      }
    }),
  );
});

test('the risk ratio of 15 in 100 against 5 in 100', () => {
  const { value, lower, upper } = riskRatio(table(15, 85, 5, 95));
  expect(value).toBeCloseTo(3, 9);
  expect(lower).toBeCloseTo(1.1334, 3);
  expect(upper).toBeCloseTo(7.941, 2);
});

test('a risk ratio holds its value, and an empty cell keeps it finite', () => {
  fc.assert(
    fc.property(cells, ([a, b, c, d]) => {
      const { value, lower, upper } = riskRatio(table(a, b, c, d));
      for (const part of [value, lower, upper]) expect(Number.isFinite(part)).toBe(true);
      expect(lower).toBeLessThanOrEqual(value);
      expect(upper).toBeGreaterThanOrEqual(value);
    }),
  );
});

/** The sum over all tables of the same margins, by exact whole numbers. */
function addedUp(a: number, b: number, c: number, d: number): number {
  const [row, hits, all] = [a + b, a + c, a + b + c + d];
  let sum = 0n;
  for (let x = a; x <= Math.min(row, hits); x += 1) sum += choose(hits, x) * choose(all - hits, row - x);
  const whole = choose(all, row);
  return Number((sum * 10n ** 15n) / whole) / 1e15;
}

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let result = 1n;
  for (let i = 1; i <= k; i += 1) result = (result * BigInt(n - k + i)) / BigInt(i);
  return result;
}
