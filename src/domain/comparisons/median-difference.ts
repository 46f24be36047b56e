import { gamma, type Random, seededRandom } from '../random.ts';
import type { Interval } from '../statistics.ts';

const RESAMPLES = 2_000;
const START_VALUE = 20_261;

export interface MedianDifference extends Interval {
  difference: number;
  /** Two-sided, from the resampled differences; never 0, as a finite number of them cannot show that. */
  p: number;
}

/** `n` values, of which `sorted` holds all or evenly spaced ones. */
export interface Ordered {
  n: number;
  sorted: readonly number[];
}

/**
 * The bootstrap interval of the difference of two medians, `a - b`. A resample of n values has its median at an order
 * statistic of n uniform numbers, which is a beta number: so it is drawn, instead of n values.
 */
export function medianDifference(a: Ordered, b: Ordered, level = 0.95): MedianDifference {
  const random = seededRandom(START_VALUE);
  const draws = Array.from({ length: RESAMPLES }, () => resampledMedian(a, random) - resampledMedian(b, random));
  draws.sort((x, y) => x - y);
  const tail = (1 - level) / 2;
  const below = draws.filter((draw) => draw <= 0).length;
  const above = draws.filter((draw) => draw >= 0).length;
  return {
    difference: medianOf(a.sorted) - medianOf(b.sorted),
    lower: at(draws, tail),
    upper: at(draws, 1 - tail),
    p: Math.min(1, (2 * (Math.min(below, above) + 1)) / (RESAMPLES + 1)),
  };
}

/** The middle of sorted values; the mean of the two middle ones where their number is even. */
export function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function resampledMedian({ n, sorted }: Ordered, random: Random): number {
  const rank = (n + 1) / 2;
  const low = gamma(random, rank);
  const position = low / (low + gamma(random, n + 1 - rank));
  return sorted[Math.min(sorted.length - 1, Math.floor(position * sorted.length))] ?? 0;
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
