import { count } from '../../format.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** A span of time as one figure: `40 s`, `12 min`, `3 h`, `2 days`. */
export function seconds(span: number): string {
  if (span < 2 * MINUTE) return `${count(span)} s`;
  if (span < 2 * HOUR) return `${count(span / MINUTE)} min`;
  return span < 2 * DAY ? `${count(span / HOUR)} h` : `${count(span / DAY)} days`;
}
