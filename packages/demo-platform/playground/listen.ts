import { readValues } from '../../../src/domain/values/read-values.ts';

/** What the demo's agents understand of a caller's words: rules, so that the same words are always understood the same. */

const YES =
  /^\W*(yes|yeah|yep|yup|sure|ok(ay)?|alright|please|correct|exactly|right|that('s| is| would be| sounds| works)|go ahead|sounds good|perfect|great|good|fine|brilliant|lovely|wonderful|super|excellent|absolutely|of course|do it|i do|mm-?hm|uh-?huh)\b/i;
const NO = /^\W*(no|nope|nah|not|don'?t|rather not|never|leave it)\b/i;
const HESITATION =
  /^(?:\W*\b(?:um+|uh|er|hmm*|well|so|right|okay|oh|listen|actually|let me (?:see|think)|you know what)\b[,.]?\s*)+/i;

/** True for a yes also behind the sounds that people make before it; a no behind them is none. */
export const saysYes = (text: string) => !saysNo(text) && (YES.test(text) || YES.test(text.replace(HESITATION, '')));
const NO_BEHIND_YES = /^\W*(?:ok(?:ay)?|alright|right|fine)\W+(?:then\W+)?no\b/i;
export const saysNo = (text: string) =>
  NO.test(text) || NO_BEHIND_YES.test(text) || NO.test(text.replace(HESITATION, ''));
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
