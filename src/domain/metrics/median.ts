import { type Interval, Z_95 } from '../statistics.ts';

/** What medians are kept of: a call's own median and slowest tenth of response times, and its length. */
export const METRIC_MEASURES = ['p50', 'p90', 'duration'] as const;
export type MetricMeasure = (typeof METRIC_MEASURES)[number];

/**
 * Bin `b` holds values from `BIN_RATIO ** b` up to the next bin's: a median read from bins is at most five per cent from
 * the true one. Values under 1 ms are in bin 0.
 */
export const BIN_RATIO = 1.05;

export function binOf(ms: number): number {
  return Math.floor(Math.log(Math.max(ms, 1)) / Math.log(BIN_RATIO));
}

/** Calls by bin. Sums of several days are sums of their bins. */
export type Bins = ReadonlyMap<number, number>;

export interface MedianReading {
  n: number;
  /** Whole milliseconds; null when n is 0. */
  value: number | null;
  /** 95 % unless asked otherwise, by the ranks between which the true median lies. */
  interval: Interval | null;
}

/** @param z the normal quantile of the interval. */
export function medianOf(bins: Bins, z = Z_95): MedianReading {
  const sorted = [...bins].filter(([, calls]) => calls > 0).sort(([a], [b]) => a - b);
  const n = sorted.reduce((sum, [, calls]) => sum + calls, 0);
  if (n === 0) return { n, value: null, interval: null };
  const half = (z * Math.sqrt(n)) / 2;
  return {
    n,
    value: Math.round(valueAt(sorted, n / 2)),
    interval: {
      lower: Math.round(valueAt(sorted, Math.max(0, n / 2 - half))),
      upper: Math.round(valueAt(sorted, Math.min(n, n / 2 + half))),
    },
  };
}

/** How many calls lie between which milliseconds, from the shortest on. */
export function spreadOf(bins: Bins): { fromMs: number; toMs: number; calls: number }[] {
  return [...bins]
    .filter(([, calls]) => calls > 0)
    .sort(([a], [b]) => a - b)
    .map(([bin, calls]) => ({ fromMs: Math.round(BIN_RATIO ** bin), toMs: Math.round(BIN_RATIO ** (bin + 1)), calls }));
}

export function addBins(all: readonly Bins[]): Bins {
  const sum = new Map<number, number>();
  for (const bins of all) for (const [bin, calls] of bins) sum.set(bin, (sum.get(bin) ?? 0) + calls);
  return sum;
}

/** The value below which so many calls lie, spread evenly within their bin. */
function valueAt(sorted: readonly (readonly [bin: number, calls: number])[], rank: number): number {
  let below = 0;
  for (const [bin, calls] of sorted) {
    if (below + calls >= rank) return BIN_RATIO ** (bin + (rank - below) / calls);
    below += calls;
  }
  return BIN_RATIO ** ((sorted.at(-1)?.[0] ?? 0) + 1);
}
