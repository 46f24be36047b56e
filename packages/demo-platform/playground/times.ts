import { readValues } from '../../../src/domain/values/read-values.ts';
import { saysYes } from './listen.ts';

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
  const named = readTimes(
    text.replace(/\b(first|second|third|last|later|latter|earlier|either|any|that|this) one\b/gi, '$1'),
  );
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
