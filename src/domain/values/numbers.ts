import { ORDINALS, SMALL, TENS } from '../words/en/values.ts';
import { isGlued, type Token } from './tokens.ts';

/** A number as it was said or written: "four hundred twelve", "1,425.50", "six ten". */
export interface NumberReading {
  /** Token behind the number. */
  next: number;
  value: number;
  /** The digits one after the other, as in a number that is read out: "six ten" is 610, "one oh five" 105. */
  digits: string;
  /** The groups in which it was said; one where it was said as a whole. */
  groups: readonly number[];
}

const SCALES: ReadonlyMap<string, number> = new Map([
  ['thousand', 1000],
  ['million', 1_000_000],
]);
const REPEATS: ReadonlyMap<string, number> = new Map([
  ['double', 2],
  ['triple', 3],
]);
/** One look spares the words that begin no number, which are most, all others. */
const BEGINS_GROUP: ReadonlySet<string> = new Set([...SMALL.keys(), ...TENS.keys(), ...REPEATS.keys(), 'oh', 'o', 'a']);
/** Longer rows of numbers are no number that somebody means as one. */
const GROUPS_AT_MOST = 20;

/** Reads the number that begins at a token, or null where none does. */
export function readNumber(tokens: readonly Token[], at: number): NumberReading | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'digits') return readDigits(tokens, at);
  const groups: number[] = [];
  let digits = '';
  let next = at;
  while (groups.length < GROUPS_AT_MOST) {
    const group = readGroup(tokens, skipHyphen(tokens, next, groups.length > 0));
    if (group === null) break;
    groups.push(group.value);
    digits += group.digits;
    next = group.next;
  }
  const first = groups[0];
  if (first === undefined) return null;
  const fraction = readFraction(tokens, next);
  const whole = groups.length === 1 ? first : Number(digits);
  if (fraction === null) return { next, value: whole, digits, groups };
  const value = Number(`${whole}.${fraction.digits}`);
  const scale = SCALES.get(tokens[fraction.next]?.text ?? '');
  return scale === undefined
    ? { next: fraction.next, value, digits: digits + fraction.digits, groups }
    : { next: fraction.next + 1, value: value * scale, digits: String(value * scale), groups: [value * scale] };
}

/** "Twenty first", "third", "24th": the ordinal that begins at a token. */
export function readOrdinal(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  const token = tokens[at];
  if (token === undefined) return null;
  if (token.kind === 'digits') {
    const ending = tokens[at + 1]?.text ?? '';
    if (!isGlued(tokens, at + 1) || !/^(?:st|nd|rd|th)$/.test(ending) || token.text.length > 3) return null;
    return { next: at + 2, value: Number(token.text) };
  }
  const alone = ORDINALS.get(token.text);
  if (alone !== undefined) return { next: at + 1, value: alone };
  const tens = TENS.get(token.text);
  if (tens === undefined) return null;
  const last = skipHyphen(tokens, at + 1, true);
  const unit = ORDINALS.get(tokens[last]?.text ?? '');
  return unit === undefined || unit > 9 ? null : { next: last + 1, value: tens + unit };
}

/** The words by which a number or an ordinal can begin. */
export const NUMBER_BEGINNINGS: readonly string[] = [SMALL, TENS, ORDINALS, REPEATS]
  .flatMap((words) => [...words.keys()])
  .concat('oh');

/** The value of one word for a digit ("five", "oh"), or null. */
export function digitOf(word: string): number | null {
  if (word === 'oh' || word === 'o') return 0;
  const value = SMALL.get(word);
  return value === undefined || value > 9 ? null : value;
}

/** "1,425.50" or "2 3 4": thousands may be cut by commas, digits may stand apart. */
function readDigits(tokens: readonly Token[], at: number): NumberReading {
  let whole = tokens[at]?.text ?? '';
  let next = at + 1;
  while (
    tokens[next]?.text === ',' &&
    whole.length <= 15 &&
    isGlued(tokens, next) &&
    isGlued(tokens, next + 1) &&
    /^\d{3}$/.test(tokens[next + 1]?.text ?? '')
  ) {
    whole += tokens[next + 1]?.text ?? '';
    next += 2;
  }
  let fraction = '';
  if (tokens[next]?.text === '.' && isGlued(tokens, next) && isGlued(tokens, next + 1)) {
    const decimals = tokens[next + 1];
    if (decimals?.kind === 'digits') {
      fraction = decimals.text;
      next += 2;
    }
  }
  const value = Number(fraction === '' ? whole : `${whole}.${fraction}`);
  const scale = SCALES.get(tokens[next]?.text ?? '');
  if (scale !== undefined)
    return { next: next + 1, value: value * scale, digits: String(value * scale), groups: [value * scale] };
  return { next, value, digits: whole + fraction, groups: [value] };
}

/** One number said as a whole: "five", "twenty two", "four hundred and twelve", "two thousand five hundred", "double five". */
function readGroup(tokens: readonly Token[], at: number): { next: number; value: number; digits: string } | null {
  const word = tokens[at]?.text ?? '';
  if (!BEGINS_GROUP.has(word)) return null;
  const times = REPEATS.get(word);
  if (times !== undefined) {
    const digit = digitOf(tokens[at + 1]?.text ?? '');
    if (digit === null) return null;
    const digits = String(digit).repeat(times);
    return { next: at + 2, value: Number(digits), digits };
  }
  if (word === 'oh' || word === 'o') {
    const isClock = word === 'o' && tokens[at + 1]?.text === 'clock';
    return isClock ? null : { next: at + 1, value: 0, digits: '0' };
  }
  let total = 0;
  let part = readBelowThousand(tokens, at);
  if (part === null) return null;
  let { next } = part;
  for (;;) {
    const scale = SCALES.get(tokens[next]?.text ?? '');
    if (scale === undefined) {
      total += part.value;
      break;
    }
    total += part.value * scale;
    next += 1;
    const rest: { next: number; value: number } | null = readBelowThousand(tokens, skipAnd(tokens, next));
    if (rest === null) break;
    part = rest;
    ({ next } = rest);
  }
  return { next, value: total, digits: String(total) };
}

function readBelowThousand(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  const low = readBelowHundred(tokens, at) ?? readArticle(tokens, at);
  if (low === null) return null;
  if (tokens[low.next]?.text !== 'hundred' || low.value === 0) return low;
  const rest = readBelowHundred(tokens, skipAnd(tokens, low.next + 1));
  return rest === null
    ? { next: low.next + 1, value: low.value * 100 }
    : { next: rest.next, value: low.value * 100 + rest.value };
}

/** "A hundred": the article is a number only before a hundred or a thousand. */
function readArticle(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  const after = tokens[at + 1]?.text ?? '';
  return tokens[at]?.text === 'a' && (after === 'hundred' || after === 'thousand') ? { next: at + 1, value: 1 } : null;
}

function readBelowHundred(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  const word = tokens[at]?.text ?? '';
  const small = SMALL.get(word);
  if (small !== undefined) return { next: at + 1, value: small };
  const tens = TENS.get(word);
  if (tens === undefined) return null;
  const last = skipHyphen(tokens, at + 1, true);
  const unit = SMALL.get(tokens[last]?.text ?? '');
  return unit !== undefined && unit > 0 && unit < 10
    ? { next: last + 1, value: tens + unit }
    : { next: at + 1, value: tens };
}

/** "Point five": decimals are said digit by digit. */
function readFraction(tokens: readonly Token[], at: number): { next: number; digits: string } | null {
  if (tokens[at]?.text !== 'point') return null;
  let digits = '';
  let next = at + 1;
  for (; digits.length < 6; next += 1) {
    const digit = digitOf(tokens[next]?.text ?? '');
    if (digit === null) break;
    digits += digit;
  }
  return digits === '' ? null : { next, digits };
}

function skipHyphen(tokens: readonly Token[], at: number, allowed: boolean): number {
  return allowed && tokens[at]?.text === '-' && isGlued(tokens, at) && isGlued(tokens, at + 1) ? at + 1 : at;
}

function skipAnd(tokens: readonly Token[], at: number): number {
  return tokens[at]?.text === 'and' ? at + 1 : at;
}
