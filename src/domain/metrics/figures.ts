import { COMPARISON_METRICS, type MetricDefinition } from '../comparisons/metrics.ts';
import { type Interval, wilson } from '../statistics.ts';
import { addBins, type Bins, type MetricMeasure, medianOf } from './median.ts';

/** Sums over the calls of a range or a group. */
export const METRIC_SUMS = [
  'calls',
  'resolved',
  'unresolved',
  'abandoned',
  'transferred',
  'noContact',
  /** Calls of which nobody can know how they ended: in no share that asks for it. */
  'unknown',
  /** Calls that were left open and are nobody's failure: wrong numbers, spam, tests. In no share of how calls end. */
  'aside',
  'withTool',
  'toolFailed',
  'friction',
  'settledCallers',
  'calledAgain',
  'openCallers',
  'responseUnread',
] as const;
export type MetricSums = Record<(typeof METRIC_SUMS)[number], number>;
export type MetricBins = Readonly<Record<MetricMeasure, Bins>>;

export interface Figure {
  /** A share, or whole milliseconds; null when n is 0. */
  value: number | null;
  /** Calls behind it. */
  n: number;
  /** Calls that would count and could not be read. */
  notRead: number;
  /** 95 %; null when n is 0. */
  interval: Interval | null;
}

interface Share {
  k: number;
  n: number;
  notRead?: number;
}

const counted = (sums: MetricSums) => sums.calls - sums.noContact - sums.unknown - sums.aside;

const SHARES: Readonly<Record<string, (sums: MetricSums) => Share>> = {
  got_it_done: (sums) => ({ k: sums.resolved, n: counted(sums), notRead: sums.unknown }),
  unresolved: (sums) => ({ k: sums.unresolved, n: counted(sums), notRead: sums.unknown }),
  abandoned: (sums) => ({ k: sums.abandoned, n: counted(sums), notRead: sums.unknown }),
  handed_off: (sums) => ({ k: sums.transferred, n: counted(sums), notRead: sums.unknown }),
  no_contact: (sums) => ({ k: sums.noContact, n: sums.calls - sums.unknown, notRead: sums.unknown }),
  tool_failure: (sums) => ({ k: sums.toolFailed, n: sums.withTool }),
  friction: (sums) => ({ k: sums.friction, n: sums.calls }),
  repeat_call: (sums) => ({ k: sums.calledAgain, n: sums.settledCallers, notRead: sums.openCallers }),
};

const MEASURES: Readonly<Record<string, MetricMeasure>> = {
  response_latency_p50_ms: 'p50',
  response_latency_p90_ms: 'p90',
  duration_ms: 'duration',
};

/** The figures of a board: the same measures as a comparison's. */
export const METRICS: readonly MetricDefinition[] = COMPARISON_METRICS;

/** The measure that a metric is the median of; null for shares. */
export function measureOf(metric: string): MetricMeasure | null {
  return MEASURES[metric] ?? null;
}

export function figureOf(metric: string, sums: MetricSums, bins: MetricBins): Figure {
  const measure = measureOf(metric);
  if (measure !== null) {
    const notRead = measure === 'duration' ? 0 : sums.responseUnread;
    return { ...medianOf(bins[measure]), notRead };
  }
  const { k, n, notRead = 0 } = SHARES[metric]?.(sums) ?? { k: 0, n: 0 };
  return n === 0
    ? { value: null, n, notRead, interval: null }
    : { value: k / n, n, notRead, interval: wilson({ k, n }) };
}

/** How many calls of the sums a share is true of, is not true of, and could not be read on. */
export function partsOf(metric: string, sums: MetricSums): { yes: number; no: number; notRead: number } {
  const { k, n, notRead = 0 } = SHARES[metric]?.(sums) ?? { k: 0, n: 0 };
  return { yes: k, no: n - k, notRead };
}

export function addSums(all: readonly MetricSums[]): MetricSums {
  // Entries of all names make all of them.
  const total = Object.fromEntries(METRIC_SUMS.map((name) => [name, 0])) as MetricSums;
  for (const sums of all) for (const name of METRIC_SUMS) total[name] += sums[name];
  return total;
}

export const NO_BINS: MetricBins = { p50: new Map(), p90: new Map(), duration: new Map() };

export function addMetricBins(all: readonly MetricBins[]): MetricBins {
  return {
    p50: addBins(all.map((one) => one.p50)),
    p90: addBins(all.map((one) => one.p90)),
    duration: addBins(all.map((one) => one.duration)),
  };
}
