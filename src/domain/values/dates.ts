import { DAYS, MONTHS } from '../words/en/values.ts';
import { isLetterName } from './codes.ts';
import { digitOf, readNumber, readOrdinal } from './numbers.ts';
import { isGlued, type Token } from './tokens.ts';
import type { SpokenValue } from './value.ts';

type Found = { next: number; value: SpokenValue };

const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** "2024-05-24", "May 24th", "the twenty fourth of May 2024", "5/24/2024", "Friday": a date that begins at a token. */
export function readDate(tokens: readonly Token[], at: number): Found | null {
  const word = tokens[at]?.text ?? '';
  const weekday = DAYS.indexOf(word.endsWith('days') ? word.slice(0, -1) : word);
  if (weekday >= 0) return made(tokens, at, at + 1, [`weekday-${weekday}`]);
  const found =
    tokens[at]?.kind === 'digits'
      ? (readIso(tokens, at) ?? readSlashed(tokens, at) ?? readDayFirst(tokens, at))
      : (readMonthFirst(tokens, at) ?? readDayFirst(tokens, at));
  if (found === null || !tokens.slice(at, found.next).some((token) => token.text === 'november')) return found;
  // "November eight alpha two" spells a code.
  const next = tokens[found.next];
  if (next === undefined || next.kind === 'sign') return found;
  return next.text.length === 1 || isLetterName(next.text) || digitOf(next.text) !== null ? null : found;
}

/** The words by which a date can begin, numbers apart: months are also said and written by their first letters. */
export const DATE_BEGINNINGS: readonly string[] = [
  ...DAYS.flatMap((day) => [day, `${day}s`]),
  ...MONTHS.flatMap((month) => [month, month.slice(0, 3), month.slice(0, 4)]),
];

/** A date as a form, or null where there is no such day. */
function dateForm(month: number, day: number, year: number | null): string | null {
  if (!Number.isInteger(day) || day < 1 || day > (DAYS_OF_MONTH[month - 1] ?? 0)) return null;
  const short = `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return year === null ? short : `${String(year).padStart(4, '0')}-${short}`;
}

function readIso(tokens: readonly Token[], at: number): Found | null {
  const [year, dash, month, dash2, day] = tokens.slice(at, at + 5);
  if (year?.kind !== 'digits' || year.text.length !== 4 || dash?.text !== '-' || dash2?.text !== '-') return null;
  if (month?.kind !== 'digits' || day?.kind !== 'digits' || !isGlued(tokens, at + 1) || !isGlued(tokens, at + 4))
    return null;
  return made(tokens, at, at + 5, [dateForm(Number(month.text), Number(day.text), Number(year.text))]);
}

/** Day and month stand in either order, so both are kept where both are possible. */
function readSlashed(tokens: readonly Token[], at: number): Found | null {
  const [first, slash, second, slash2, third] = tokens.slice(at, at + 5);
  if (first?.kind !== 'digits' || slash?.text !== '/' || second?.kind !== 'digits' || !isGlued(tokens, at + 1))
    return null;
  if (first.text.length > 2 || second.text.length > 2) return null;
  // "24/7" is around the clock.
  if (first.text === '24' && second.text === '7' && slash2?.text !== '/') return null;
  const hasYear = slash2?.text === '/' && third?.kind === 'digits' && isGlued(tokens, at + 3);
  const year = hasYear ? fullYear(third.text) : null;
  const forms = [
    dateForm(Number(first.text), Number(second.text), year),
    dateForm(Number(second.text), Number(first.text), year),
  ];
  return made(tokens, at, at + (hasYear ? 5 : 3), forms);
}

function readMonthFirst(tokens: readonly Token[], at: number): Found | null {
  const month = monthOf(tokens[at]?.text ?? '');
  if (month === null) return null;
  let next = tokens[at + 1]?.text === '.' ? at + 2 : at + 1;
  if (tokens[next]?.text === 'the') next += 1;
  const day = readOrdinal(tokens, next) ?? readDay(tokens, next);
  if (day === null) return null;
  const year = readYear(tokens, day.next);
  return made(tokens, at, year.next, [dateForm(month, day.value, year.year)]);
}

function readDayFirst(tokens: readonly Token[], at: number): Found | null {
  const day = readOrdinal(tokens, at) ?? readDay(tokens, at);
  if (day === null) return null;
  const next = tokens[day.next]?.text === 'of' ? day.next + 1 : day.next;
  const month = monthOf(tokens[next]?.text ?? '');
  // "May" after a number alone is more likely a verb: "two may come".
  if (month === null || (month === 5 && next === day.next && tokens[at]?.kind === 'word')) return null;
  const year = readYear(tokens, next + 1);
  return made(tokens, at, year.next, [dateForm(month, day.value, year.year)]);
}

/** A day as a plain number, also digit by digit: "June three zero". */
function readDay(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  const number = readNumber(tokens, at);
  if (number === null || number.digits.length > 2 || number.value < 1 || number.value > 31)
    return readShortDay(tokens, at);
  return { next: number.next, value: number.value };
}

/** The day before a year that follows at once: "May twenty four twenty twenty four". */
function readShortDay(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  for (const words of [2, 1]) {
    const number = readNumber(tokens.slice(at, at + words), 0);
    if (
      number !== null &&
      number.groups.length === 1 &&
      number.value >= 1 &&
      number.value <= 31 &&
      number.next === words
    ) {
      return { next: at + words, value: number.value };
    }
  }
  return null;
}

function readYear(tokens: readonly Token[], at: number): { next: number; year: number | null } {
  const start = tokens[at]?.text === ',' ? at + 1 : at;
  const number = readNumber(tokens, start);
  if (number === null) return { next: at, year: null };
  const year = Number(number.digits);
  return year >= 1900 && year <= 2199 && number.digits.length === 4
    ? { next: number.next, year }
    : { next: at, year: null };
}

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

function monthOf(word: string): number | null {
  return MONTH_OF.get(word) ?? null;
}

/** Also said and written by their first three or four letters. */
const MONTH_OF: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((month, at) =>
    [month, month.slice(0, 3), month.slice(0, 4)].map((word): [string, number] => [word, at + 1]),
  ),
);

function made(tokens: readonly Token[], at: number, next: number, forms: readonly (string | null)[]): Found | null {
  const known = [...new Set(forms.filter((form) => form !== null))];
  if (known.length === 0) return null;
  const from = tokens[at]?.from ?? 0;
  return { next, value: { kind: 'date', from, to: tokens[next - 1]?.to ?? from, forms: known } };
}
