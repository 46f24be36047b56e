import { readValues } from '../../../domain/calls/values/read-values.ts';
import { isoDay, WEEKDAYS, workDay } from '../people.ts';

/** What the demo's agents understand of a caller's words: rules, so that the same words are always understood the same. */

const DAY_MS = 86_400_000;

const YES =
  /^\W*(yes|yeah|yep|yup|sure|ok(ay)?|alright|please|correct|exactly|right|that('s| is| would be| sounds| works)|go ahead|sounds good|perfect|great|good|fine|brilliant|lovely|wonderful|super|excellent|absolutely|of course|do it|i do|mm-?hm|uh-?huh)\b/i;
const NO = /^\W*(no|nope|nah|not|don'?t|rather not|never|leave it)\b/i;
const HESITATION =
  /^(?:\W*\b(?:um+|uh|er|hmm*|well|so|right|okay|oh|listen|actually|let me (?:see|think)|you know what)\b[,.]?\s*)+/i;

/** True for a yes also behind the sounds that people make before it; a no behind them is none. */
export const saysYes = (text: string) => !saysNo(text) && (YES.test(text) || YES.test(text.replace(HESITATION, '')));
export const saysNo = (text: string) => NO.test(text) || NO.test(text.replace(HESITATION, ''));
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

/** The words without the sounds that people make between them. */
export const withoutSounds = (text: string) => text.replace(/\b(?:um+|uh|er|erm|hmm*|well)\b[,.]?\s*/gi, '');

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

/**
 * Times of day that the words may mean, as `HH:MM`, the likeliest first.
 * @param bare a number alone may be an hour, too, of those in which a practice is open.
 */
export function readTimes(text: string, bare = true): string[] {
  return readValues(text).flatMap(({ kind, forms }) => {
    if (kind === 'time') return forms.flatMap(timeOfMinutes);
    return bare && kind === 'number' ? timeOfNumber(forms.at(-1) ?? '') : [];
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

const SOUNDS =
  /\b(?:um+|uh+|er+|erm|hmm*|mm|well|so|okay|ok|right|yes|yeah|yep|sure|oh|ah|listen|look|alright|actually|hi|hello|hey|thanks|thank you|please|you know what|let me (?:see|think)|if i may|of course|certainly)\b[,.!]?\s*/gi;
const BEFORE_A_NAME =
  /\b(?:my (?:full |first and last )?name(?: is|'s)|(?:the )?name is|name:|this is|that(?:'s| is| would be)|it(?:'s| is)|i'm|i am|you want)\s+/gi;
const NO_NAME = new Set([
  ...'i im id ill ive my the a an it its is and born on in at for to of date birth dob birthday name no not can could would want need like good morning afternoon evening great perfect fine calling from all that this what when here there you your we he she they was were been be have has do does did spell'.split(
    ' ',
  ),
  ...'january february march april may june july august september october november december'.split(' '),
  ...WEEKDAYS.map((day) => day.toLowerCase()),
]);

/** A full name. @param asked the caller was asked for it, so that words alone may be one. */
export function readName(text: string, asked: boolean): string | null {
  const plain = text.replace(SOUNDS, ' ').replace(/\s+/g, ' ').trim();
  const behind = [...plain.matchAll(BEFORE_A_NAME)].map((match) => plain.slice(match.index + match[0].length));
  if (!asked)
    return (
      behind
        .filter((part) => /^\p{Lu}[\p{L}'’-]+ \p{Lu}/u.test(part))
        .map(nameAt)
        .find((name) => name !== null) ?? null
    );
  const whole = [...behind, plain, ...plain.split(/[,;.]\s*/)].map((part) => nameAt(part));
  return whole.find((name) => name !== null) ?? singleName(plain);
}

/** Two to four words that can be a name, at the beginning of a text. */
function nameAt(text: string): string | null {
  const words = /^[\p{L}'’-]+(?: [\p{L}'’-]+){0,3}/u.exec(text)?.[0].split(' ') ?? [];
  const end = words.findIndex((word) => NO_NAME.has(word.toLowerCase().replace(/[^a-z]/g, '')));
  const name = end < 0 ? words : words.slice(0, end);
  return name.length >= 2 && name.every((word) => word.length > 1) ? name.map(capital).join(' ') : null;
}

const singleName = (text: string) => /^(\p{Lu}[\p{L}'’-]+)[.!]?$/u.exec(text)?.[1] ?? null;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
