import { BEFORE_HOURS, BEFORE_TIME, LASTS } from '../words/en/values.ts';
import { readNumber } from './numbers.ts';
import { isGlued, type Token } from './tokens.ts';
import type { SpokenValue } from './value.ts';

type Half = 'am' | 'pm' | 'night';
type Found = { next: number; value: SpokenValue };

const NAMED: Record<string, number> = { noon: 720, midday: 720, midnight: 0 };
const TWELVE = new Set(['twelve', '12']);

/** "Half past nine", "half nine", "9:30 pm", "one oh five PM", "14:05:00", "noon": a time of day that begins at a token. */
export function readTime(tokens: readonly Token[], at: number): Found | null {
  const named = NAMED[tokens[at]?.text ?? ''];
  if (named !== undefined) return made(tokens, at, at + 1, [named]);
  const twelve = TWELVE.has(tokens[at]?.text ?? '') ? NAMED[tokens[at + 1]?.text ?? ''] : undefined;
  if (twelve !== undefined) return made(tokens, at, at + 2, [twelve]);
  return readPast(tokens, at) ?? readHalfHour(tokens, at) ?? readClock(tokens, at) ?? readSaid(tokens, at);
}

/** The words by which a time of day can begin, numbers apart. */
export const TIME_BEGINNINGS: readonly string[] = [...Object.keys(NAMED), 'half', 'quarter'];

/** The minutes of the day for an hour on the clock: both halves of the day where nobody says which. */
function minutesOf(hour: number, minute: number, half: Half | null, exact: boolean): number[] {
  if (hour > 24 || minute > 59) return [];
  if (half === 'night') return minutesOf(hour, minute, hour < NIGHT_ENDS || hour === 12 ? 'am' : 'pm', exact);
  if (half !== null) return hour > 12 ? [] : [((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute];
  if (exact || hour === 0 || hour > 12) return [(hour % 24) * 60 + minute];
  return [(hour % 12) * 60 + minute, ((hour % 12) + 12) * 60 + minute];
}

/** "Two at night" is before morning, "seven at night" in the evening. */
const NIGHT_ENDS = 5;

/** A time as a form: four digits of minutes, so that equal times are equal texts. */
function timeForm(minutes: number): string {
  return String(minutes).padStart(4, '0');
}

function readPast(tokens: readonly Token[], at: number): Found | null {
  const word = tokens[at]?.text ?? '';
  const start = word === 'a' ? at + 1 : at;
  const share = tokens[start]?.text ?? '';
  const counted = share === 'half' || share === 'quarter' ? null : readNumber(tokens, start);
  const minutes = share === 'half' ? 30 : share === 'quarter' ? 15 : (counted?.value ?? -1);
  let next = counted?.next ?? start + 1;
  if (minutes < 1 || minutes > 30) return null;
  const inMinutes = tokens[next]?.text === 'minutes' || tokens[next]?.text === 'minute';
  if (inMinutes) next += 1;
  const side = tokens[next]?.text ?? '';
  const after = side === 'past' || (side === 'after' && share !== 'half');
  if (!after && !((side === 'to' || side === 'till') && share !== 'half')) return null;
  // "Ten to four" may be from ten until four, "from twenty to ten" goes down, and "20 to 7" is no talk.
  const isRange = minutes <= 12 || RANGES.has(tokens[start - 1]?.text ?? '') || tokens[start]?.kind === 'digits';
  if (counted !== null && side === 'to' && !inMinutes && isRange) return null;
  const shift = after ? minutes : -minutes;
  const named = NAMED[tokens[next + 1]?.text ?? ''];
  if (named !== undefined) return made(tokens, at, next + 2, [(named + shift + 1440) % 1440]);
  const hour = readNumber(tokens, next + 1);
  if (hour === null || hour.value < 1 || hour.value > 12 || hour.groups.length > 1) return null;
  // "Thirty minutes to one hour" is how long.
  if (LASTS.has(tokens[hour.next]?.text ?? '')) return null;
  const half = readHalf(tokens, hour.next);
  const found = minutesOf(hour.value, 0, half.half, false).map((one) => (one + shift + 1440) % 1440);
  return made(tokens, at, half.next, found);
}

const RANGES = new Set(['from', 'between']);
/** "At half nine": half past, as the British say it. */
function readHalfHour(tokens: readonly Token[], at: number): Found | null {
  const before = tokens[at - 1];
  const begins = before === undefined || before.kind === 'sign';
  if (tokens[at]?.text !== 'half' || !(begins || BEFORE_TIME.has(before.text))) return null;
  if (tokens[at + 1]?.kind !== 'word') return null;
  const hour = readNumber(tokens, at + 1);
  if (hour === null || hour.groups.length > 1 || hour.value > 12) return null;
  // "Half one, half the other" is no time.
  if (hour.value < (begins ? 2 : 1)) return null;
  const half = readHalf(tokens, hour.next);
  return made(tokens, at, half.next, minutesOf(hour.value, 30, half.half, false));
}

/** "9:30", "09:30:00", "9.30 pm". */
function readClock(tokens: readonly Token[], at: number): Found | null {
  const hour = tokens[at];
  const minute = tokens[at + 2];
  if (hour?.kind !== 'digits' || minute?.kind !== 'digits' || hour.text.length > 2 || minute.text.length !== 2)
    return null;
  const sign = tokens[at + 1]?.text;
  if ((sign !== ':' && sign !== '.') || !isGlued(tokens, at + 1) || !isGlued(tokens, at + 2)) return null;
  let next = at + 3;
  const seconds = tokens[at + 4];
  if (tokens[next]?.text === ':' && isGlued(tokens, next) && seconds?.kind === 'digits' && seconds.text.length === 2)
    next += 2;
  const half = Number(hour.text) > 12 ? { next, half: null } : readHalf(tokens, next);
  // "9.30" alone is a number.
  if (sign === '.' && half.half === null) return null;
  const exact = hour.text.length === 2 && (hour.text.startsWith('0') || next > at + 3);
  return made(tokens, at, half.next, minutesOf(Number(hour.text), Number(minute.text), half.half, exact));
}

/** "Nine", "nine thirty", "one oh five", followed by AM, PM or o'clock. */
function readSaid(tokens: readonly Token[], at: number): Found | null {
  const number = readNumber(tokens, at);
  if (number === null) return null;
  const clock = skipClock(tokens, number.next);
  const half = readHalf(tokens, clock);
  if (half.half === null && clock === number.next) return null;
  const { digits } = number;
  // "Call 1234 in the morning": whoever writes an hour without a sign writes AM or PM behind it.
  const isPart = tokens[clock]?.text === 'in' || tokens[clock]?.text === 'at';
  if (isPart && digits.length > 2 && number.groups.length === 1) return null;
  // "A table for two in the evening": a number by itself counts something unless it stands where a time does.
  if (isPart && clock === number.next && digits.length <= 2 && !mayBeHour(tokens, at, number.value, half)) return null;
  const split = digits.length <= 2 ? digits.length : digits.length - 2;
  if (digits.length > 4 || number.value !== Math.trunc(number.value)) return null;
  const minutes = minutesOf(Number(digits.slice(0, split)), Number(digits.slice(split) || 0), half.half, false);
  return made(tokens, at, half.next, minutes);
}

/** It begins the turn or a sentence, or stands behind "at" and the like; and it is an hour of that part of the day. */
function mayBeHour(
  tokens: readonly Token[],
  at: number,
  hour: number,
  { half, next }: { half: Half | null; next: number },
) {
  const before = tokens[at - 1];
  const isPlaced = before === undefined || before.kind === 'sign' || BEFORE_HOURS.has(before.text);
  const part = tokens[next - 1]?.text ?? '';
  const [from, to] = HOURS_OF[part] ?? [1, 12];
  return isPlaced && half !== null && (from <= to ? hour >= from && hour <= to : hour >= from || hour <= to);
}

const HOURS_OF: Readonly<Record<string, readonly [number, number]>> = {
  morning: [1, 11],
  afternoon: [12, 6],
  evening: [4, 11],
  night: [1, 12],
};

/** Behind "o'clock", as recognisers write it. */
function skipClock(tokens: readonly Token[], at: number): number {
  const word = tokens[at]?.text;
  if (word === "o'clock" || word === 'oclock') return at + 1;
  return word === 'o' && tokens[at + 1]?.text === 'clock' ? at + 2 : at;
}

/** "am", "PM", "a.m.", "p m", "in the morning", or nothing. */
function readHalf(tokens: readonly Token[], at: number): { next: number; half: Half | null } {
  const word = tokens[at]?.text ?? '';
  if (word === 'in' || word === 'at') return readPartOfDay(tokens, at);
  if (word === 'am' || word === 'pm') return { next: at + 1, half: word };
  if (word !== 'a' && word !== 'p') return { next: at, half: null };
  let next = at + 1;
  if (tokens[next]?.text === '.') next += 1;
  if (tokens[next]?.text !== 'm') return { next: at, half: null };
  next += 1;
  if (tokens[next]?.text === '.' && isGlued(tokens, next)) next += 1;
  return { next, half: word === 'a' ? 'am' : 'pm' };
}

/** "In the morning", "in the evening", "at night". */
function readPartOfDay(tokens: readonly Token[], at: number): { next: number; half: Half | null } {
  const [first, second, third] = [at, at + 1, at + 2].map((place) => tokens[place]?.text ?? '');
  if (first === 'at' && second === 'night') return { next: at + 2, half: 'night' };
  const half = first === 'in' && second === 'the' ? (PARTS.get(third ?? '') ?? null) : null;
  return half === null ? { next: at, half } : { next: at + 3, half };
}

const PARTS: ReadonlyMap<string, Half> = new Map([
  ['morning', 'am'],
  ['afternoon', 'pm'],
  ['evening', 'pm'],
]);

function made(tokens: readonly Token[], at: number, next: number, minutes: readonly number[]): Found | null {
  if (minutes.length === 0) return null;
  const from = tokens[at]?.from ?? 0;
  const to = tokens[next - 1]?.to ?? from;
  return { next, value: { kind: 'time', from, to, forms: minutes.map(timeForm) } };
}
