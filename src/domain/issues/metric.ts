import { type Interval, meanDifference, newcombe } from '../statistics.ts';
import { knownCalls, type OutcomeSums } from './facts.ts';

interface Metric {
  label: string;
  better: 'higher' | 'lower' | 'neither';
  unit: 'share' | 'seconds';
}

/** Board metrics that sums over calls can tell apart for affected and other calls. */
const METRICS: Record<string, Metric> = {
  got_it_done: { label: 'got it done', better: 'higher', unit: 'share' },
  unresolved: { label: 'unresolved', better: 'lower', unit: 'share' },
  abandoned: { label: 'abandoned', better: 'lower', unit: 'share' },
  handed_off: { label: 'handed off', better: 'neither', unit: 'share' },
  no_contact: { label: 'no contact', better: 'lower', unit: 'share' },
  duration_ms: { label: 'duration', better: 'neither', unit: 'seconds' },
};

export interface MetricReading {
  label: string;
  unit: Metric['unit'];
  affected: number;
  others: number;
  interval: Interval;
  /** The 95 % interval excludes 0, in the direction in which affected calls fare worse. */
  moves: boolean;
}

/** What a metric reads on affected and on other calls; null where sums cannot say it. */
export function readMetric(metric: string, affected: OutcomeSums, others: OutcomeSums): MetricReading | null {
  const known = METRICS[metric];
  if (!known) return null;
  const { label, better, unit } = known;
  const apart =
    unit === 'share'
      ? newcombe(shareOf(metric, affected), shareOf(metric, others))
      : meanDifference(durations(affected), durations(others));
  const below = apart.upper < 0;
  const above = apart.lower > 0;
  const moves = better === 'higher' ? below : better === 'lower' ? above : below || above;
  return { label, unit, affected: valueOf(metric, affected), others: valueOf(metric, others), interval: apart, moves };
}

function shareOf(metric: string, sums: OutcomeSums): { k: number; n: number } {
  const contact = knownCalls(sums) - sums.noContact;
  switch (metric) {
    case 'got_it_done':
      return { k: sums.resolved, n: contact };
    case 'unresolved':
      return { k: sums.unresolved, n: contact };
    case 'abandoned':
      return { k: sums.abandoned, n: contact };
    case 'handed_off':
      return { k: sums.transferred, n: contact };
    default:
      return { k: sums.noContact, n: knownCalls(sums) };
  }
}

function durations(sums: OutcomeSums) {
  return { n: sums.calls, sum: sums.durationS, squares: sums.durationSquareS };
}

function valueOf(metric: string, sums: OutcomeSums): number {
  if (metric === 'duration_ms') return sums.calls === 0 ? 0 : sums.durationS / sums.calls;
  const { k, n } = shareOf(metric, sums);
  return n === 0 ? 0 : k / n;
}
