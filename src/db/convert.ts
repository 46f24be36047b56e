import { nestsBeyond } from '../domain/json-shape.ts';

/** PostgreSQL sends times, bigints and counts as text; these are the only places that read them. */

/** As PostgreSQL writes times of the years 0 to 9999 to a session in UTC, which only writes those that exist. */
const IN_UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

/** @param value `2026-11-21 12:56:45.398+00`, or the ISO form inside JSON. @returns ISO 8601 UTC with milliseconds. */
export function toIso(value: string | Date): string {
  if (typeof value === 'string' && IN_UTC.test(value)) {
    // Every row of a list has such times: its parts stand where they are in ISO 8601, but for the milliseconds.
    const millis = value.slice(20, -3).slice(0, 3).padEnd(3, '0');
    return `${value.slice(0, 10)}T${value.slice(11, 19)}.${millis}Z`;
  }
  // Spelt in full ISO form first: the lenient parser reads the year 0001 as 2001.
  const date = value instanceof Date ? value : new Date(value.replace(/^(\d{4}-\d\d-\d\d) (.*)\+00$/, '$1T$2Z'));
  if (Number.isNaN(date.getTime())) throw new Error('PostgreSQL sent a time that is none.');
  return date.toISOString();
}

export function toIsoOrNull(value: string | Date | null | undefined): string | null {
  return value === null || value === undefined ? null : toIso(value);
}

/** Counts and sums stay far under 2^53, so a double holds them exactly. */
export function toNumber(value: string | number | bigint): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new Error('PostgreSQL sent a number that is none.');
  return number;
}

/** Deeper nesting than any platform sends; below it a recursive reader would run out of stack. */
const DEPTH_MAX = 100;

/** A record of the platform as PostgreSQL can hold it: NUL and lone surrogates become U+FFFD, everywhere, keys too. */
export function storable<T>(value: T): T {
  // Texts stay texts; only what is nested beyond reading becomes null, which JSON of that depth may hold anyway.
  return needsReplacing(value) ? (replaceIn(value, 0) as T) : value;
}

/** JSON writes NUL and lone surrogates as escapes, so that one search over the text finds whether a record holds any. */
function needsReplacing(value: unknown): boolean {
  try {
    const text = JSON.stringify(value) ?? '';
    return text.includes('\\u0000') || text.includes('\\ud') || nestsBeyond(text, DEPTH_MAX);
  } catch {
    return true;
  }
}

function replaceIn(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((inner) => replaceIn(inner, depth + 1));
  const entries = Object.entries(value).map(([key, inner]) => [storableText(key), replaceIn(inner, depth + 1)]);
  return Object.fromEntries(entries);
}

export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\u0000') ? whole.replaceAll('\u0000', '\ufffd') : whole;
}

/** JSON with sorted keys: equal values give equal text, whatever order PostgreSQL or a platform keeps their keys in. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
