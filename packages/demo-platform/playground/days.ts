import { readValues } from '../../../src/domain/values/read-values.ts';
import { isoDay, workDay } from '../people.ts';

const DAY_MS = 86_400_000;

/** A date of birth as `YYYY-MM-DD`: a whole date that lies at least a year back. */
export function readBirth(text: string, nowMs: number): string | null {
  const dates = readValues(text).filter(({ kind }) => kind === 'date');
  const whole = dates.flatMap(({ forms }) => forms.slice(0, 1)).filter((form) => /^\d{4}-\d\d-\d\d$/.test(form));
  return whole.find((form) => Date.parse(form) < nowMs - 365 * DAY_MS) ?? null;
}

export interface NamedDay {
  /** `YYYY-MM-DD`. */
  iso: string;
  /** As the caller said it. */
  asSaid: string;
}

/**
 * The day that a caller names for something to come; a date of birth is none.
 * @param known days that are meant before others of the same name; else the next one from now is.
 */
export function readDay(text: string, nowMs: number, known: readonly string[] = []): NamedDay | null {
  const near = /\b(the day after tomorrow|tomorrow|today|tonight)\b/i.exec(text)?.[0];
  if (near) {
    const days = /after/i.test(near) ? 2 : /tomorrow/i.test(near) ? 1 : 0;
    return { iso: isoDay(new Date(nowMs + days * DAY_MS)), asSaid: near };
  }
  for (const value of readValues(text)) {
    if (value.kind !== 'date') continue;
    const form = value.forms[0] ?? '';
    const iso = known.find((day) => isCalled(day, form)) ?? nextDay(form, nowMs);
    if (iso === null) continue;
    const said = text.slice(value.from, value.to);
    return { iso, asSaid: form.startsWith('weekday') ? `next ${said.charAt(0).toUpperCase()}${said.slice(1)}` : said };
  }
  return null;
}

/** `2026-11-24` is a Tuesday, and the 24th of a November. */
function isCalled(day: string, form: string): boolean {
  const weekday = /^weekday-(\d)$/.exec(form)?.[1];
  return weekday === undefined ? day.endsWith(form) : parseDay(day)?.getUTCDay() === Number(weekday);
}

function nextDay(form: string, nowMs: number): string | null {
  const weekday = /^weekday-(\d)$/.exec(form)?.[1];
  const today = new Date(Date.parse(isoDay(new Date(nowMs))));
  if (weekday !== undefined) {
    const ahead = (Number(weekday) - today.getUTCDay() + 7) % 7;
    return isoDay(new Date(today.getTime() + (ahead === 0 ? 7 : ahead) * DAY_MS));
  }
  if (/^\d{4}-\d\d-\d\d$/.test(form)) return Date.parse(form) >= today.getTime() ? form : null;
  if (!/^\d\d-\d\d$/.test(form)) return null;
  const year = today.getUTCFullYear();
  const candidates = [year, year + 1].map((one) => `${one}-${form}`);
  return candidates.find((iso) => Date.parse(iso) >= today.getTime()) ?? null;
}

export const nextWorkDay = (nowMs: number): string => isoDay(workDay(nowMs, 1));

/** `2026-11-24` as `Tuesday, November 24th` would be read; what is no date is read as it stands. */
export function parseDay(iso: string): Date | null {
  const timeMs = Date.parse(iso.slice(0, 10));
  return /^\d{4}-\d\d-\d\d/.test(iso) && Number.isFinite(timeMs) ? new Date(timeMs) : null;
}
