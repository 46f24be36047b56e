import { type Proportion, Z_95 } from './statistics.ts';

/** A table of two by two: of the calls with something, how many were hit, and of those without. */
export interface TwoByTwo {
  with: Proportion;
  without: Proportion;
}

/** Terms this much smaller than the largest so far no longer change a sum of doubles. */
const NEGLIGIBLE = 1e-18;

/**
 * Fisher's exact test, one-sided: how probable it is, were hits spread without regard to the rows, that the first row
 * has as many hits as it does or more.
 */
export function fisherGreater(table: TwoByTwo): number {
  const { k: hits, n: row } = table.with;
  const all = row + table.without.n;
  const allHits = hits + table.without.k;
  const least = Math.max(0, row + allHits - all);
  const most = Math.min(row, allHits);
  if (hits <= least) return 1;
  const start = lnChoose(allHits, hits) + lnChoose(all - allHits, row - hits) - lnChoose(all, row);
  // From a count above the expected one the terms only fall upwards; from one below they only fall downwards.
  if (hits * all >= row * allHits) {
    return Math.min(
      1,
      tail(start, hits, most, (x) => ((allHits - x) * (row - x)) / ((x + 1) * (all - allHits - row + x + 1))),
    );
  }
  const below = start + Math.log((hits * (all - allHits - row + hits)) / ((allHits - hits + 1) * (row - hits + 1)));
  const less = tail(below, most - (hits - 1), most - least, (at) => {
    const x = most - at;
    return (x * (all - allHits - row + x)) / ((allHits - x + 1) * (row - x + 1));
  });
  return Math.min(1, Math.max(0, 1 - less));
}

/** Both directions: twice the smaller tail. */
export function fisherEither(table: TwoByTwo): number {
  const fewer = { with: table.without, without: table.with };
  return Math.min(1, 2 * Math.min(fisherGreater(table), fisherGreater(fewer)));
}

function tail(lnFirst: number, from: number, to: number, ratio: (at: number) => number): number {
  let term = Math.exp(lnFirst);
  let sum = term;
  for (let at = from; at < to; at += 1) {
    term *= ratio(at);
    sum += term;
    if (term < sum * NEGLIGIBLE) break;
  }
  return sum;
}

/**
 * Benjamini and Hochberg's adjusted values, in the order given: those at most q make a list of which on average at most
 * the share q is there by chance.
 */
export function benjaminiHochberg(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 1) - (values[b] ?? 1));
  const adjusted = values.map(() => 1);
  let least = 1;
  for (let rank = order.length; rank >= 1; rank -= 1) {
    const index = order[rank - 1] ?? 0;
    least = Math.min(least, ((values[index] ?? 1) * values.length) / rank);
    adjusted[index] = least;
  }
  return adjusted;
}

export interface Lift {
  /** The share of hits with, over the share without. */
  value: number;
  lower: number;
  upper: number;
}

/**
 * The risk ratio with its 95 % interval on the log scale (Katz). Where a cell is empty, half a call is added to each, so
 * that the ratio stays finite; a side without calls is no knowledge: (0, as large as it gets).
 */
export function riskRatio(table: TwoByTwo, z = Z_95): Lift {
  const { with: a, without: b } = table;
  if (a.n <= 0 || b.n <= 0) return { value: 1, lower: 0, upper: Number.MAX_VALUE };
  const empty = a.k === 0 || b.k === 0 || a.k === a.n || b.k === b.n;
  const add = empty ? 0.5 : 0;
  const [k1, n1, k2, n2] = [a.k + add, a.n + 2 * add, b.k + add, b.n + 2 * add];
  const log = Math.log(k1 / n1) - Math.log(k2 / n2);
  const half = z * Math.sqrt(1 / k1 - 1 / n1 + 1 / k2 - 1 / n2);
  return { value: Math.exp(log), lower: Math.exp(log - half), upper: Math.exp(log + half) };
}

function lnChoose(n: number, k: number): number {
  return lnFactorial(n) - lnFactorial(k) - lnFactorial(n - k);
}

const SMALL: number[] = [0, 0];
for (let n = 2; n < 256; n += 1) SMALL.push((SMALL[n - 1] ?? 0) + Math.log(n));

/** Summed for small numbers; Stirling's series above, where its error is below that of a double. */
function lnFactorial(n: number): number {
  const small = SMALL[n];
  if (small !== undefined) return small;
  const inverse = 1 / n;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260)));
  return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + series;
}
