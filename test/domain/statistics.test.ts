import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meanDifference, newcombe, wilson } from '../../src/domain/statistics.ts';

test.each([
  [8, 10, 0.4902, 0.9433],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [1, 2, 0.0945, 0.9055],
  [0, 0, 0, 1],
])('Wilson of %i in %i is %f to %f', (k, n, lower, upper) => {
  expect(wilson({ k, n }).lower).toBeCloseTo(lower, 4);
  expect(wilson({ k, n }).upper).toBeCloseTo(upper, 4);
});

test.each([
  // Newcombe (1998), table II, method 10.
  [{ k: 56, n: 70 }, { k: 48, n: 80 }, 0.0524, 0.3339],
  [{ k: 9, n: 10 }, { k: 3, n: 10 }, 0.1705, 0.809],
  [{ k: 5, n: 56 }, { k: 0, n: 29 }, -0.0381, 0.1926],
  [{ k: 10, n: 10 }, { k: 0, n: 10 }, 0.6075, 1],
])('the difference of %o and %o lies between %f and %f', (a, b, lower, upper) => {
  const found = newcombe(a, b);
  expect(found.lower).toBeCloseTo(lower, 4);
  expect(found.upper).toBeCloseTo(upper, 4);
});

test('a side without calls says nothing about a difference', () => {
  expect(newcombe({ k: 0, n: 0 }, { k: 1, n: 2 })).toEqual({ difference: 0, lower: -1, upper: 1 });
  expect(meanDifference({ n: 1, sum: 5, squares: 25 }, { n: 9, sum: 9, squares: 9 }).lower).toBe(-Infinity);
});

test('an interval holds its share, and more calls make it narrower', () => {
  const proportion = fc.integer({ min: 1, max: 5000 }).chain((n) => fc.record({ n: fc.constant(n), k: fc.nat(n) }));
  fc.assert(
    fc.property(proportion, proportion, (a, b) => {
      const { lower, upper } = wilson(a);
      expect(lower).toBeLessThanOrEqual(a.k / a.n + 1e-12);
      expect(upper).toBeGreaterThanOrEqual(a.k / a.n - 1e-12);
      const wider = wilson({ k: a.k * 4, n: a.n * 4 });
      expect(wider.upper - wider.lower).toBeLessThanOrEqual(upper - lower + 1e-12);
      const apart = newcombe(a, b);
      const turned = newcombe(b, a);
      expect(apart.lower).toBeCloseTo(-turned.upper, 10);
      expect(apart.lower <= apart.difference && apart.difference <= apart.upper).toBe(true);
    }),
  );
});

test('means with a known spread differ by the textbook interval', () => {
  const a = { n: 4, sum: 20, squares: 120 };
  const b = { n: 4, sum: 8, squares: 36 };
  const half = 1.959963984540054 * Math.sqrt(20 / 3 / 4 + 20 / 3 / 4);
  expect(meanDifference(a, b).lower).toBeCloseTo(3 - half, 10);
});
