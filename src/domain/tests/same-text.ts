import { readValues } from '../values/read-values.ts';
import type { SpokenValue } from '../values/value.ts';
import { bare, itemsOf } from './spoken-items.ts';

/** `unclear`: the value that was given can mean the wanted one and another, such as 05/06 for the fifth of June. */
export type Sameness = 'same' | 'different' | 'unclear';

/**
 * Whether two texts of arguments are the same value. Numbers, dates, times, instants, telephone numbers, amounts and
 * codes are compared by what they mean, sentences as words. Everything else differs by its first letter: a sign that
 * could carry meaning ("-5", an address) is never left out. A clock without am or pm is read as one of 24 hours.
 */
export function sameText(wanted: string, given: string): Sameness {
  if (folded(wanted) === folded(given)) return 'same';
  const read = [readDecimal, readInstant, readPhone] as const;
  for (const reader of read) {
    const [one, other] = [reader(wanted), reader(given)];
    if (one !== null && other !== null)
      return one === other ? 'same' : reader === readPhone ? byPlus(one, other) : 'different';
  }
  if (/^\d+$/.test(wanted.trim()) && /^\d+$/.test(given.trim())) return 'different';
  if (currencyOf(wanted) !== null && currencyOf(given) !== null && currencyOf(wanted) !== currencyOf(given)) {
    return 'different';
  }
  const [one, other] = [readWhole(wanted), readWhole(given)];
  if (one !== null && other !== null) return sameMeaning(one, other);
  return isProse(wanted) && isProse(given) ? sameSentence(wanted, given) : 'different';
}

function folded(text: string): string {
  return bare(text).trim().replaceAll(/\s+/g, ' ').replaceAll(' %', '%');
}

const DECIMAL = /^(-?)(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;

/** A number in one spelling, digit by digit, so that long ones are not rounded. Leading zeros make it a name, not a number. */
function readDecimal(text: string): string | null {
  const match = DECIMAL.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  const decimals = withoutZerosAtEnd(fraction);
  const digits = whole.replaceAll(',', '') + (decimals === '' ? '' : `.${decimals}`);
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

/** By hand, because `/0+$/` looks at each row of zeros from each of its zeros on. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/** A date with a time: with an offset the moment, without one what the clock on the wall shows. */
function readInstant(text: string): string | null {
  const match = INSTANT.exec(text.trim());
  if (match === null) return null;
  const [, date = '', clock = '', seconds = '00', fraction = '', offset] = match;
  const wall = `${date}T${clock}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  if (offset === undefined) return wall;
  const zone = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset.toUpperCase();
  const at = Date.parse(`${wall}${zone}`);
  return Number.isNaN(at) ? null : `${at} ms`;
}

/** Digits that are only set apart: "+1 (555) 123-4567". */
function readPhone(text: string): string | null {
  const trimmed = text.trim();
  if (!/^\+?[\d\s().-]+$/.test(trimmed) || /^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return null;
  // Points stand in versions and addresses too: they set apart where a number of North America is written so.
  if (/^-|\d\.\d+$/.test(trimmed) && !/(?:^|[\s.)-])\(?\d{3}\)?[\s.]\d{3}\.\d{4}$/.test(trimmed)) return null;
  const digits = trimmed.replaceAll(/[^\d+]/g, '');
  return digits.length >= 7 ? digits : null;
}

/** Without its plus a number may be of another country. */
function byPlus(one: string, other: string): Sameness {
  return one.replace('+', '') === other.replace('+', '') ? 'unclear' : 'different';
}

const CURRENCIES: readonly [RegExp, string][] = [
  [/\$|\b(?:dollars?|bucks?|usd)\b/i, 'dollar'],
  [/€|\b(?:euros?|eur)\b/i, 'euro'],
  [/£|\b(?:pounds?|quid|gbp)\b/i, 'pound'],
  [/¥|\byen\b/i, 'yen'],
  [/\b(?:francs?|chf)\b/i, 'franc'],
  [/\brupees?\b/i, 'rupee'],
];

function currencyOf(text: string): string | null {
  return CURRENCIES.find(([sign]) => sign.test(text))?.[1] ?? null;
}

const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/;

/** The one value that a text is, or null where it holds more or something else. */
function readWhole(text: string): Pick<SpokenValue, 'kind' | 'forms'> | null {
  const trimmed = text.trim();
  const clock = CLOCK.exec(trimmed);
  if (clock) {
    return { kind: 'time', forms: [String(Number(clock[1]) * 60 + Number(clock[2])).padStart(4, '0')] };
  }
  if (/^[-<>~]/.test(trimmed) || /%/.test(trimmed)) return null;
  const [value, ...more] = readValues(trimmed);
  if (value === undefined || more.length > 0) return null;
  const rest = trimmed.slice(0, value.from) + trimmed.slice(value.to);
  if (!/^[\s.,#$€£¥]*$/.test(rest) || isCutCode(value, trimmed)) return null;
  const [first] = value.forms;
  return value.kind === 'number' && first !== undefined ? { kind: 'number', forms: [first] } : value;
}

/** Everything that the given value can mean must be wanted; where only a part of it is, nobody can tell. */
function sameMeaning(
  wanted: Pick<SpokenValue, 'kind' | 'forms'>,
  given: Pick<SpokenValue, 'kind' | 'forms'>,
): Sameness {
  const counted = (kind: SpokenValue['kind']) => kind === 'money' || kind === 'number';
  if (wanted.kind !== given.kind && !(counted(wanted.kind) && counted(given.kind))) return 'different';
  const meant = given.forms.filter((form) => wanted.forms.some((one) => form === one || isThatDay(form, one)));
  if (meant.length === given.forms.length) return 'same';
  const partly = meant.length > 0 || given.forms.some((form) => wanted.forms.some((one) => isThatDay(one, form)));
  return partly ? 'unclear' : 'different';
}

/** A date with its year is the same day as the one without; the other way round nobody knows the year. */
function isThatDay(full: string, short: string): boolean {
  return full.length === 10 && short.length === 5 && full.endsWith(short);
}

/** Words, numbers and the signs of sentences, none of them where leaving it out changes what is meant. */
function isProse(text: string): boolean {
  if (!/^[\p{L}\p{M}\p{N}\s.,!?;:'\u2019"()$€£¥-]*$/u.test(text) || !/\p{L}/u.test(text)) return false;
  return !/(?:^|[^\p{L}\p{N}])-\s*[\d$€£¥]|\p{L}{2}[.:]\p{L}|\p{L}[.:]\p{L}{2}/u.test(text);
}

/** In "v1.2.3" the points count: no code that was only cut up. */
function isCutCode({ kind, from, to }: SpokenValue, text: string): boolean {
  return kind === 'code' && /[.,]/.test(text.slice(from, to));
}

function sameSentence(writtenWanted: string, writtenGiven: string): Sameness {
  const [wanted, given] = [writtenWanted.normalize('NFC'), writtenGiven.normalize('NFC')];
  const one = itemsOf(wanted);
  const other = itemsOf(given);
  if (one.length === 0 || one.length !== other.length) return 'different';
  const each = one.map((item, at): Sameness => {
    const against = other[at];
    if (against === undefined) return 'different';
    if (item.value !== null && against.value !== null) {
      const isSpelled = !isCutCode(item.value, wanted) && !isCutCode(against.value, given);
      return isSpelled ? sameMeaning(item.value, against.value) : 'different';
    }
    return item.word !== null && item.word === against.word ? 'same' : 'different';
  });
  if (each.includes('different')) return 'different';
  return each.includes('unclear') ? 'unclear' : 'same';
}
