import { COMPARISON_METRICS, type ComparedCall, isCounted, type MetricDefinition } from './metrics.ts';

/** One measure on one side, summed up: a comparison never holds the calls themselves. */
export interface Side {
  /** Calls that count and could be read. */
  n: number;
  /** Calls that would count and could not be read. */
  notRead: number;
  /** For shares: calls of which it is true. */
  k: number;
  /** For medians: the values in order, or as many of them, evenly spaced, as `SUMMARY_POINTS`. */
  sorted: readonly number[];
}

/** All that a comparison knows of one version's calls. */
export interface VersionFacts {
  calls: number;
  /** Start key of the last call, see `startKey`; empty where none has a start. */
  lastStart: string;
  sides: ReadonlyMap<string, Side>;
  /** Calls with contact by intent, and how many of them got it done. */
  intents: ReadonlyMap<string, { k: number; n: number }>;
}

/** A median and its spread are told by this many evenly spaced values as well as by all. */
export const SUMMARY_POINTS = 1_001;

/** Calls without a start sort first: nothing says that they came after a checkpoint. */
export const startKey = (startedAt: string | null) => (startedAt === null ? '' : new Date(startedAt).toISOString());

export function factsOfCalls(calls: readonly ComparedCall[]): VersionFacts {
  const intents = new Map<string, { k: number; n: number }>();
  for (const call of calls) {
    if (!isCounted(call)) continue;
    const one = intents.get(call.intentSlug) ?? { k: 0, n: 0 };
    one.n += 1;
    one.k += Number(call.outcome === 'resolved');
    intents.set(call.intentSlug, one);
  }
  return {
    calls: calls.length,
    lastStart: calls.reduce((last, { startedAt }) => (startKey(startedAt) > last ? startKey(startedAt) : last), ''),
    sides: new Map(COMPARISON_METRICS.map((definition) => [definition.metric, sideOf(definition, calls)])),
    intents,
  };
}

function sideOf(definition: MetricDefinition, calls: readonly ComparedCall[]): Side {
  const values: number[] = [];
  let notRead = 0;
  for (const call of calls) {
    const value = definition.read(call);
    if (value !== null) values.push(value);
    else if (definition.isNotRead?.(call)) notRead += 1;
  }
  if (definition.unit === 'share') {
    return { n: values.length, notRead, k: values.reduce((sum, value) => sum + value, 0), sorted: [] };
  }
  return { n: values.length, notRead, k: 0, sorted: summary(values.sort((a, b) => a - b)) };
}

/** Evenly spaced values of a sorted list, the first and the last among them. */
export function summary(sorted: readonly number[]): number[] {
  if (sorted.length <= SUMMARY_POINTS) return [...sorted];
  const step = (sorted.length - 1) / (SUMMARY_POINTS - 1);
  return Array.from({ length: SUMMARY_POINTS }, (_, point) => sorted[Math.round(point * step)] ?? 0);
}
