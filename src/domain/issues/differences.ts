import type { Proportion } from '../statistics.ts';
import { benjaminiHochberg, fisherEither, type Lift, riskRatio } from '../statistics-tables.ts';

/** In what calls that show an issue can differ from those that do not. */
export const DIMENSIONS = [
  'version',
  'intent',
  'persona',
  'weekday',
  'hours',
  'direction',
  'caller',
  'duration',
  'signal_before',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Calls with one value of one dimension, of those that show the issue and of the others. */
export interface ValueCount {
  dimension: Dimension;
  value: string;
  affected: number;
  others: number;
}

export interface Compared {
  affected: number;
  others: number;
}

export interface Difference {
  dimension: Dimension;
  value: string;
  /** Of the calls with the value, and of all other calls, those that show the issue. */
  with: Proportion;
  without: Proportion;
  lift: Lift;
  p: number;
  adjustedP: number;
}

const CALLS_A_SIDE = 5;
const FALSE_SHARE = 0.05;

/**
 * What sets the calls that show an issue apart, in either direction. All values are tested together, and only those
 * that hold under it and whose interval excludes 1 are told, the surest first.
 */
export function findDifferences(counts: readonly ValueCount[], all: Compared): { tests: number; found: Difference[] } {
  if (all.affected < CALLS_A_SIDE || all.others < CALLS_A_SIDE) return { tests: 0, found: [] };
  const total = all.affected + all.others;
  const tested = counts.flatMap(({ dimension, value, affected, others }) => {
    const n = affected + others;
    if (n < CALLS_A_SIDE || total - n < CALLS_A_SIDE) return [];
    const table = { with: { k: affected, n }, without: { k: all.affected - affected, n: total - n } };
    return [{ dimension, value, ...table, lift: riskRatio(table), p: fisherEither(table) }];
  });
  const adjusted = benjaminiHochberg(tested.map(({ p }) => p));
  const found = tested
    .map((difference, index) => ({ ...difference, adjustedP: adjusted[index] ?? 1 }))
    .filter(({ adjustedP, lift }) => adjustedP <= FALSE_SHARE && (lift.lower > 1 || lift.upper < 1))
    .sort((a, b) => a.p - b.p || b.lift.lower - a.lift.lower || (a.value < b.value ? -1 : 1));
  return { tests: tested.length, found };
}
