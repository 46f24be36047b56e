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

/** What was there before, and the difference; shares in points. */
export function changeInWords({ value, previous, unit }: Metric): string {
  if (previous === null || previous.value === null || value === null) return 'nothing to compare';
  const before = `${figure(previous.value, unit)} of ${previous.n}`;
  if (unit !== 'share') return before;
  return `${before} (${pointsInWords(value - previous.value)})`;
}

/** `▲ +4 points` */
export function pointsInWords(difference: number): string {
  const moved = Math.round(difference * 100);
  if (moved === 0) return 'no change';
  return `${moved > 0 ? '▲ +' : '▼ −'}${points(Math.abs(moved))}`;
}
