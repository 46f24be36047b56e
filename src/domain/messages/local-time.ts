import { WEEKDAYS, type Weekday } from '../vocabulary.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A moment as the clocks and calendars of a place show it. */
export interface LocalTime {
  /** Days since 1970-01-01 in that calendar. */
  day: number;
  /** Minutes since midnight, by the clock. */
  minute: number;
  weekday: Weekday;
}

/** Whether it is a name of the IANA time zone database, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

export function localTime(atMs: number, timeZone: string): LocalTime {
  const shown = shownMs(atMs, clockOf(timeZone));
  const day = Math.floor(shown / DAY_MS);
  return { day, minute: Math.floor((shown - day * DAY_MS) / MINUTE_MS), weekday: weekdayOf(day) };
}

/**
 * When the clocks of a place show a minute of a day: the first time where they show it twice, and the moment at which
 * they skip it where they never do.
 */
export function momentOf({ day, minute }: Pick<LocalTime, 'day' | 'minute'>, timeZone: string): number {
  const clock = clockOf(timeZone);
  const wanted = day * DAY_MS + minute * MINUTE_MS;
  const offsetAt = (atMs: number) => shownMs(atMs, clock) - atMs;
  // No offset lies a day or more away from UTC, and no place changes its clocks twice within two days.
  const [before, after] = [offsetAt(wanted - DAY_MS), offsetAt(wanted + DAY_MS)];
  const candidates = [wanted - Math.max(before, after), wanted - Math.min(before, after)];
  const shows = candidates.find((atMs) => shownMs(atMs, clock) === wanted);
  return shows ?? firstAfterChange(wanted, before, clock);
}

/** The clocks jump over the wanted time: the moment of the jump lies between the two readings of it. */
function firstAfterChange(wanted: number, offsetBefore: number, clock: Intl.DateTimeFormat): number {
  let [low, high] = [wanted - offsetBefore - DAY_MS, wanted - offsetBefore];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (shownMs(middle, clock) - middle === offsetBefore) low = middle;
    else high = middle;
  }
  return high;
}

export function weekdayOf(day: number): Weekday {
  // The first of January 1970 was a Thursday.
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] ?? 'monday';
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const numeric = 'numeric';
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  clocks.set(timeZone, made);
  return made;
}

/** What the clocks show, as if they stood in UTC. */
function shownMs(atMs: number, clock: Intl.DateTimeFormat): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of clock.formatToParts(atMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const subsecond = ((atMs % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + subsecond;
}
