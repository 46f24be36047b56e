import { readValues } from '../../../domain/calls/values/read-values.ts';
import { cutTokens } from '../../../domain/calls/values/tokens.ts';
import { isoDay, WEEKDAYS, workDay } from '../people.ts';

/** What the demo's agents understand of a caller's words: rules, so that the same words are always understood the same. */

const DAY_MS = 86_400_000;

export const saysYes = (text: string) =>
  /^\W*(yes|yeah|yep|yup|sure|ok(ay)?|please|correct|exactly|right|that'?s (right|correct|it|fine|perfect|good)|go ahead|sounds good|perfect|great|fine|absolutely|of course|do it|i do|mm-?hm|uh-?huh)\b/i.test(
    text,
  );
export const saysNo = (text: string) => /^\W*(no|nope|nah|not|don'?t|rather not|never)\b/i.test(text);
export const saysBye = (text: string) =>
  /\b(good-?\s?bye|bye(-?\s?bye)?|see you|talk to you later|have a (good|nice|great|lovely)|i'?m hanging up|forget it)\b/i.test(
    text,
  );
export const isDone = (text: string) =>
  saysBye(text) ||
  /\b(that'?s|that is|that was|that will be|that'?ll be) (all|it|everything)\b|\bnothing (else|more)\b|\b(all set|i'?m (good|fine|done))\b|\bthat (covers|does) it\b/i.test(
    text,
  ) ||
  /^\W*no\b/i.test(text);
export const asksForPerson = (text: string) =>
  /\b(person|human|humans|receptionist|representative|operator|supervisor|manager|colleague|staff|somebody|front desk|live agent|real agent)\b|\b(transfer|connect) me\b|\bput me through\b|\b(speak|talk) (to|with) (a|an|some|the|your|someone)/i.test(
    text,
  );
export const asksQuestion = (text: string) => text.includes('?');

/** Digits of a number to call back on, or null. */
export function readPhone(text: string): string | null {
  const written = /\+?\d[\d\s().-]{6,}\d/.exec(text)?.[0];
  const digits = (written ?? '').replace(/[^\d+]/g, '');
  if (digits.replace('+', '').length >= 7) return digits;
  const spoken = readValues(text).find(
    ({ kind, forms }) => kind === 'number' && forms.some((form) => /^\d{7,15}$/.test(form)),
  );
  return spoken?.forms.find((form) => /^\d{7,15}$/.test(form)) ?? null;
}

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

/** The day that a caller names for something to come, counted from now; a date of birth is none. */
export function readDay(text: string, nowMs: number): NamedDay | null {
  const near = /\b(the day after tomorrow|tomorrow|today|tonight)\b/i.exec(text)?.[0];
  if (near) {
    const days = /after/i.test(near) ? 2 : /tomorrow/i.test(near) ? 1 : 0;
    return { iso: isoDay(new Date(nowMs + days * DAY_MS)), asSaid: near };
  }
  for (const value of readValues(text)) {
    if (value.kind !== 'date') continue;
    const iso = nextDay(value.forms[0] ?? '', nowMs);
    if (iso === null) continue;
    const before = /\bnext $/i.exec(text.slice(0, value.from))?.[0] ?? '';
    return { iso, asSaid: `${before}${text.slice(value.from, value.to)}` };
  }
  return null;
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

/** Times of day that the words may mean, as `HH:MM`, the likeliest first; a bare hour counts in the hours of a practice. */
export function readTimes(text: string): string[] {
  return readValues(text).flatMap(({ kind, forms }) => {
    if (kind === 'time') return forms.flatMap(timeOfMinutes);
    return kind === 'number' ? timeOfNumber(forms.at(-1) ?? '') : [];
  });
}

/** "Nine" and "nine ten" without a word that says that a time is meant. */
function timeOfNumber(digits: string): string[] {
  const [, hours = '', minutes = '00'] =
    /^(\d{1,2}?)(\d\d)?$/.exec(digits.padStart(digits.length === 3 ? 4 : 0, '0')) ?? [];
  const hour = Number(hours);
  if (hours === '' || hour < 1 || hour > 17 || Number(minutes) > 59) return [];
  return [`${String(hour < 7 ? hour + 12 : hour).padStart(2, '0')}:${minutes}`];
}

function timeOfMinutes(form: string): string[] {
  const minutes = Number(form);
  if (!Number.isInteger(minutes)) return [];
  return [`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`];
}

/** Which of the offered times the caller takes; null where none is clear. */
export function pickOffered(text: string, offered: readonly string[]): string | null {
  // In "the second one" no hour is named.
  const named = readTimes(text.replace(/\bone\b(?!\s*(?:o'?clock|[ap]\.?\s?m\b|thirty|fifteen|forty))/gi, ' '));
  const exact = offered.find((slot) => named.includes(slot));
  if (exact !== undefined) return exact;
  const nearly = offered.filter((slot) => named.some((time) => sameHour(time, slot)));
  if (nearly.length === 1) return nearly[0] ?? null;
  if (named.length > 0) return null;
  if (/\b(second|later|latter|last|afternoon)\b/i.test(text)) return offered[1] ?? offered[0] ?? null;
  if (/\b(first|earlie[rs]t?|former|morning|either|whichever|any|soonest)\b/i.test(text)) return offered[0] ?? null;
  return saysYes(text) ? (offered[0] ?? null) : null;
}

/** "Nine" for a visit at nine ten, and half a day apart where nobody said which half. */
const sameHour = (named: string, slot: string) =>
  named.endsWith(':00') ? Number(named.slice(0, 2)) % 12 === Number(slot.slice(0, 2)) % 12 : turned(named) === slot;

function turned(time: string): string {
  const hour = (Number(time.slice(0, 2)) + 12) % 24;
  return `${String(hour).padStart(2, '0')}${time.slice(2)}`;
}

const BEFORE_A_NAME =
  /\b(?:my (?:full )?name is|my name'?s|name is|name:|this is|i am|i'm|it is|it's|that's|for|under)\s+/gi;
const NO_NAME = new Set([
  ...'i im id ill ive hi hello hey yes yeah yep no sure ok okay thanks thank please can could my the a an it its is and born on in dr well so um uh good morning afternoon evening great perfect calling name date birth of dob full'.split(
    ' ',
  ),
  ...'january february march april may june july august september october november december'.split(' '),
  ...WEEKDAYS.map((day) => day.toLowerCase()),
]);

/** A full name. @param asked the caller was asked for it, so that words alone may be one. */
export function readName(text: string, asked: boolean): string | null {
  for (const match of text.matchAll(BEFORE_A_NAME)) {
    const name = nameAt(text.slice(match.index + match[0].length), 2);
    if (name !== null) return name;
  }
  if (!asked) return null;
  const parts = text.split(/[,;.!?\n]|\bborn\b|\bdate of birth\b|\band my\b/i).map((part) => part.trim());
  for (const part of parts) {
    const name = nameAt(part.replace(/^(?:(?:yes|yeah|sure|okay|ok|hi|hello|um|uh|well|of course)\b\W*)+/i, ''), 1);
    if (name !== null && (name.includes(' ') || part.split(/\s+/).length <= 2)) return name;
  }
  return lowerCaseName(parts);
}

function nameAt(text: string, atLeast: number): string | null {
  const words = /^(?:\p{Lu}[\p{L}'’-]*\.?\s*){1,4}/u.exec(text)?.[0].trim().split(/\s+/) ?? [];
  const end = words.findIndex((word) => NO_NAME.has(word.toLowerCase().replace(/[^a-z]/g, '')));
  const name = (end < 0 ? words : words.slice(0, end)).join(' ').replace(/[.,]$/, '');
  return name.split(' ').length >= atLeast && name.length > 1 ? name : null;
}

/** What a recogniser wrote without capitals: two or three words and nothing else. */
function lowerCaseName(parts: readonly string[]): string | null {
  for (const part of parts) {
    const words = cutTokens(part.replace(BEFORE_A_NAME, '')).filter(({ kind }) => kind === 'word');
    const kept = words.map(({ text }) => text).filter((word) => !NO_NAME.has(word));
    if (kept.length >= 2 && kept.length <= 3 && kept.length === words.length && !/\d/.test(part)) {
      return kept.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
    }
  }
  return null;
}
