export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A cell that can't be read, in words. */
export class Unusable extends Error {}

const CLOCK = /^(?:(\d+):)?([0-5]?\d):([0-5]?\d(?:[.,]\d+)?)$/;

/** Seconds or milliseconds as numbers; also `1:02.5` and `0:01:02`, which are seconds. */
export function timeIn(cell: string): number {
  const number = Number(cell.replace(',', '.'));
  if (Number.isFinite(number)) return number;
  const [, hours = '0', minutes, seconds] = CLOCK.exec(cell) ?? [];
  if (minutes === undefined || seconds === undefined) {
    throw new Unusable(`${JSON.stringify(cell)} is no time: give seconds, milliseconds or 1:02.5.`);
  }
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'));
}

const YES = new Set(['true', 'yes', '1', 'y']);
const NO = new Set(['false', 'no', '0', 'n']);

export function flagIn(cell: string): boolean {
  const word = cell.toLowerCase();
  if (YES.has(word)) return true;
  if (NO.has(word)) return false;
  throw new Unusable(`${JSON.stringify(cell)} is neither true nor false.`);
}

export function wholeNumberIn(cell: string): number {
  if (/^\d{1,9}$/.test(cell)) return Number(cell);
  throw new Unusable(`${JSON.stringify(cell)} is no whole number.`);
}

/** JSON where it is some, else the text itself. */
export function jsonIn(cell: string): Json {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

/** The turns of a call in one cell: a JSON list, or the lines as they are, each with who speaks before it. */
export function talkIn(cell: string): Json {
  if (!cell.trimStart().startsWith('[{')) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    throw new Unusable('It begins like a JSON list and is none.');
  }
}

const DAY_MS = 86_400_000;
/** Days of a spreadsheet between 1950 and 2120, counted from the end of 1899. */
const SERIAL = { from: 18_264, to: 80_354, epoch: Date.UTC(1899, 11, 30) };
const NUMBERS =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:[ T,]+(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?\s*([AaPp])?\.?[Mm]?\.?)?$/;

/**
 * A clock time of a table as ISO 8601, without a zone where the cell has none; what can't be told is left as it is. Where
 * day and month could be either, a 12-hour clock or slashes with AM/PM mean that the month comes first.
 */
export function clockIn(cell: string): string {
  const text = cell.trim();
  const serial = Number(text.replace(',', '.'));
  if (serial >= SERIAL.from && serial < SERIAL.to) {
    return new Date(SERIAL.epoch + Math.round((serial * DAY_MS) / 1000) * 1000).toISOString().replace(/\.000Z$/, '');
  }
  const [, first = '', sign, second = '', third = '', hour = '0', minute = '00', rest = '00', half] =
    NUMBERS.exec(text) ?? [];
  const date = dateOf([first, second, third].map(Number), {
    sign: sign ?? '',
    isTwelveHours: half !== undefined,
    yearFirst: first.length === 4,
  });
  if (date === null) return text;
  const hours = (Number(hour) % (half === undefined ? 24 : 12)) + (half?.toLowerCase() === 'p' ? 12 : 0);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.year}-${two(date.month)}-${two(date.day)}T${two(hours)}:${minute}:${rest}`;
}

function dateOf(
  [a = 0, b = 0, c = 0]: number[],
  { sign, isTwelveHours, yearFirst }: { sign: string; isTwelveHours: boolean; yearFirst: boolean },
): { year: number; month: number; day: number } | null {
  if (yearFirst) return valid({ year: a, month: b, day: c });
  if (c < 1_000) return null;
  const dayFirst = sign === '.' || a > 12 ? true : isTwelveHours || b > 12 ? false : null;
  if (dayFirst === null) return null;
  return valid(dayFirst ? { year: c, month: b, day: a } : { year: c, month: a, day: b });
}

const valid = (date: { year: number; month: number; day: number }) =>
  date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 ? date : null;
