import type { ActValue } from '../../acts/act.ts';
import { digitsOfHour } from './spoken-hours.ts';

export const HALF_A_DAY = 720;

/** The weekday that a value names and no date with it, 0 for Sunday; else null. */
export function weekdayOf({ kind, forms }: ActValue): number | null {
  const [form, ...more] = forms;
  if (kind !== 'date' || form === undefined || more.length > 0 || !form.startsWith('weekday-')) return null;
  return Number(form.slice('weekday-'.length));
}

/** The times of a value in minutes on a clock of twelve hours: a time, a bare hour, or two hours in "ten to four". */
export function hoursOf(value: ActValue): number[] {
  const [first = '', , last = '', ...more] = value.text.toLowerCase().split(/\s+/);
  const ends = value.kind === 'time' && more.length === 0 ? [digitsOfHour(first), digitsOfHour(last)] : [];
  const [from, to] = ends;
  if (from != null && to != null && / to /i.test(value.text)) return [clock(from * 60), clock(to * 60)];
  const [, dottedHour, dottedMinute] = value.kind === 'number' ? (DOTTED.exec(value.text) ?? []) : [];
  if (dottedHour !== undefined) return [clock(Number(dottedHour) * 60 + Number(dottedMinute))];
  if (value.kind === 'time') return [clock(Number(value.forms[0]))];
  const hour = Number(value.forms[0]);
  return value.slot === 'count' && Number.isInteger(hour) && hour <= 24 ? [clock(hour * 60)] : [];
}

/** "8.30" */
const DOTTED = /^([01]?\d|2[0-3])\.([0-5]\d)$/;

function clock(minutes: number): number {
  return minutes % HALF_A_DAY;
}
