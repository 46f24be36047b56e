import { newcombe } from '../../../src/domain/statistics.ts';
import type { Schemas } from '../../client/api.ts';
import { DASH, duration, latency, percent, points } from '../../format.ts';

type Metric = Schemas['Metric'];

const LONG_MS = 10_000;

/** A value in the unit of its metric. */
export function figure(value: number | null, unit: Metric['unit']): string {
  if (value === null) return DASH;
  if (unit === 'share') return percent(value);
  return value < LONG_MS ? latency(value) : duration(value);
}

export function intervalInWords({ interval, unit }: Metric): string {
  return interval ? `${figure(interval.lower, unit)} – ${figure(interval.upper, unit)}` : DASH;
}

/** What was there before; of shares also the difference in points, where it is more than chance. */
export function changeInWords(metric: Metric): string {
  const { value, previous, unit } = metric;
  if (previous === null || previous.value === null || value === null) return 'nothing to compare';
  const before = `${figure(previous.value, unit)} of ${previous.n}`;
  if (unit !== 'share') return before;
  const difference = clearChange(metric);
  return `${before} (${difference === null ? 'no clear change' : pointsInWords(difference)})`;
}

/** How much a share moved; null where that may be chance, as it is with a few calls. */
export function clearChange({ value, n, previous }: Metric): number | null {
  if (value === null || previous === null || previous.value === null) return null;
  const { lower, upper } = newcombe({ k: value * n, n }, { k: previous.value * previous.n, n: previous.n });
  return lower > 0 || upper < 0 ? value - previous.value : null;
}

/** `▲ 4 points` */
export function pointsInWords(difference: number): string {
  const moved = Math.round(difference * 100);
  if (moved === 0) return 'no change';
  return `${moved > 0 ? '▲' : '▼'} ${points(Math.abs(moved))}`;
}
