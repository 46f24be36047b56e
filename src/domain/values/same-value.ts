import type { ActValue } from './value.ts';

type Comparable = Pick<ActValue, 'kind' | 'slot' | 'forms'>;

/** Values of different slots say nothing about each other: neither the same nor another. */
export type Comparison = 'same' | 'other' | 'unrelated';

/** How two values stand to each other; a date without a year agrees with every year, a weekday with every date that may be one. */
export function compare(a: Comparable, b: Comparable): Comparison {
  if (a.kind === 'date' && b.kind === 'date') return compareDates(a.forms, b.forms);
  if (a.slot !== b.slot) return isSameFigure(a, b) ? 'same' : 'unrelated';
  if (a.slot === 'code') return compareCodes(a.forms.at(-1) ?? '', b.forms.at(-1) ?? '');
  return a.forms.some((form) => b.forms.includes(form)) ? 'same' : 'other';
}

/** "One four two" and "142": the same number read out and written; other numbers may be of something else. */
function isSameFigure(a: Comparable, b: Comparable): boolean {
  const slots = [a.slot, b.slot].sort().join(' ');
  return slots === 'code count' && (a.forms.at(-1) ?? '') === (b.forms.at(-1) ?? '');
}

/** The end of a code stands for the whole, as people and agents say it. */
function compareCodes(a: string, b: string): Comparison {
  if (a === b) return 'same';
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= CODE_PART && long.includes(short)) return 'same';
  return 'other';
}

const CODE_PART = 3;

function compareDates(a: readonly string[], b: readonly string[]): Comparison {
  const [one, two] = [facetsOf(a), facetsOf(b)];
  if (one.weekday !== null && two.weekday !== null && one.weekday !== two.weekday) return 'other';
  if (one.dates.length > 0 && two.dates.length > 0)
    return one.dates.some((date) => two.dates.some((other) => agree(date, other))) ? 'same' : 'other';
  return one.weekday !== null && two.weekday !== null ? 'same' : 'unrelated';
}

interface Facets {
  weekday: string | null;
  dates: readonly string[];
}

function facetsOf(forms: readonly string[]): Facets {
  const dates = forms.filter((form) => !form.startsWith('weekday-'));
  const said = forms.find((form) => form.startsWith('weekday-')) ?? null;
  return { weekday: said ?? weekdayOf(dates), dates };
}

function weekdayOf(dates: readonly string[]): string | null {
  const [date, ...more] = dates;
  if (date === undefined || more.length > 0 || date.length !== ISO_LENGTH) return null;
  const day = new Date(`${date}T00:00:00Z`).getUTCDay();
  return Number.isNaN(day) ? null : `weekday-${day}`;
}

const ISO_LENGTH = 10;

/** `day-26`, `11-26` and `2026-11-26` agree: what one does not say speaks against nothing. */
function agree(a: string, b: string): boolean {
  const [one, two] = [parts(a), parts(b)];
  return one.day === two.day && same(one.month, two.month) && same(one.year, two.year);
}

function same(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}

function parts(form: string): { year: string | null; month: string | null; day: string } {
  if (form.startsWith('day-')) return { year: null, month: null, day: form.slice('day-'.length) };
  const pieces = form.split('-');
  return { year: pieces.at(-3) ?? null, month: pieces.at(-2) ?? null, day: pieces.at(-1) ?? '' };
}
