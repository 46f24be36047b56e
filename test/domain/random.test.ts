import { describe, expect, test } from 'vitest';
import { gamma, normal, seededRandom } from '../../src/domain/random.ts';

const DRAWS = 50_000;

function momentsOf(draw: () => number) {
  const values = Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / DRAWS, values };
}

describe('a stream of random numbers', () => {
  const first = (start: number) => {
    const random = seededRandom(start);
    return Array.from({ length: 5 }, () => random.next());
  };

  test('is the same for the same start, and another for another', () => {
    expect(first(7)).toEqual(first(7));
    expect(first(7)).not.toEqual(first(8));
    expect(new Set(first(0)).size).toBe(5);
  });

  test('is that of Mulberry32 as its author published it', () => {
    // https://github.com/bryc/code/blob/master/jshash/PRNGs.md
    const mulberry32 = (start: number) => {
      let a = start;
      return () => {
        a |= 0;
        a = (a + 0x6d2b79f5) | 0;
        let t = Math.imul(a ^ (a >>> 15), 1 | a);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
      };
    };
    for (const start of [0, 1, 20_261, 2 ** 31, 2 ** 32 - 1]) {
      const next = mulberry32(start);
      const random = seededRandom(start);
      for (let draw = 0; draw < 200; draw += 1) expect(random.next()).toBe(next());
    }
  });

  test('begins as 32 bits of the start say', () => {
    expect(first(2 ** 32 + 7)).toEqual(first(7));
    expect(first(-1)).toEqual(first(2 ** 32 - 1));
  });

  test('fills [0, 1) evenly', () => {
    const random = seededRandom(11);
    // Of the uniform distribution: mean 1/2, variance 1/12.
    const { mean, variance, values } = momentsOf(() => random.next());
    expect(mean).toBeCloseTo(1 / 2, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      const share = values.filter((value) => Math.floor(value * 10) === tenth).length / DRAWS;
      expect(share).toBeCloseTo(0.1, 1);
    }
  });

  test('gives standard normal numbers', () => {
    const random = seededRandom(12);
    const { mean, variance, values } = momentsOf(() => normal(random));
    expect(Math.abs(mean)).toBeLessThan(0.02);
    expect(Math.abs(variance - 1)).toBeLessThan(0.03);
    // 68.27 and 95.45 % lie within one and two deviations.
    const within = (deviations: number) => values.filter((value) => Math.abs(value) < deviations).length / DRAWS;
    expect(Math.abs(within(1) - 0.6827)).toBeLessThan(0.01);
    expect(Math.abs(within(2) - 0.9545)).toBeLessThan(0.01);
  });

  test.each([1, 1.5, 15.5, 500])('gives gamma numbers of shape %f: mean and variance are the shape', (shape) => {
    const random = seededRandom(13);
    const { mean, variance, values } = momentsOf(() => gamma(random, shape));
    expect(Math.abs(mean / shape - 1)).toBeLessThan(0.02);
    expect(Math.abs(variance / shape - 1)).toBeLessThan(0.05);
    expect(values.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
  });
});
