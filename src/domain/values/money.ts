import { BEHIND_AMOUNT, CURRENCIES, HUNDREDTHS } from '../words/en/values.ts';
import { type NumberReading, readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';
import { numberForm, type SpokenValue } from './value.ts';

const SIGNS = new Set(['$', '€', '£', '¥']);
/** As prices are written: "USD 45". */
const CODES = new Set(['usd', 'eur', 'gbp', 'chf']);
/**
 * "$1,425.50", "USD 45", "four hundred twelve dollars", "nine euros and fifty cents", "a dollar fifty": an amount that
 * begins at a token.
 */
export function readMoney(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  const first = tokens[at]?.text ?? '';
  const one = first === 'a' ? readOneAnd(tokens, at) : null;
  if (one !== null) return one;
  const signed = SIGNS.has(first) || CODES.has(first);
  const number = readNumber(tokens, signed ? at + 1 : at);
  if (number === null) return null;
  const unit = tokens[number.next]?.text ?? '';
  if (!signed && unit === '-' && CURRENCIES.has(tokens[number.next + 1]?.text ?? '')) {
    return made(tokens, at, number.next + 2, formsOf(number));
  }
  // "130 €"
  if (!signed && SIGNS.has(unit) && tokens[number.next + 1]?.kind !== 'digits')
    return made(tokens, at, number.next + 1, [numberForm(number.value)]);
  if (!signed && !CURRENCIES.has(unit))
    return HUNDREDTHS.has(unit) && unit.length > 1
      ? made(tokens, at, number.next + 1, [numberForm(number.value / 100)])
      : null;
  let next = CURRENCIES.has(unit) ? number.next + 1 : number.next;
  if (signed) return made(tokens, at, next, [numberForm(number.value)]);
  const after = tokens[next]?.text === 'and' ? next + 1 : next;
  const cents = readNumber(tokens, after);
  if (cents !== null && cents.value < 100 && HUNDREDTHS.has(tokens[cents.next]?.text ?? '')) {
    next = cents.next + 1;
    return made(tokens, at, next, [numberForm(number.value + cents.value / 100)]);
  }
  const bare = readBareCents(tokens, next);
  if (bare !== null && number.groups.length === 1)
    return made(tokens, at, bare.next, [numberForm(number.value + bare.value / 100)]);
  return made(tokens, at, next, formsOf(number));
}

/** "A dollar fifty", "a pound twenty": what an article alone says of money is no amount. */
function readOneAnd(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  if (!CURRENCIES.has(tokens[at + 1]?.text ?? '')) return null;
  const cents = readBareCents(tokens, at + 2);
  return cents === null ? null : made(tokens, at, cents.next, [numberForm(1 + cents.value / 100)]);
}

/** The "fifty" of "nine euros fifty": cents in words without their name, and nothing behind that they could count. */
function readBareCents(tokens: readonly Token[], at: number): { next: number; value: number } | null {
  if (tokens[at]?.kind !== 'word') return null;
  const cents = readNumber(tokens, at);
  if (cents === null || cents.groups.length > 1 || cents.value < 10 || cents.value > 99) return null;
  const behind = tokens[cents.next];
  const ends =
    behind === undefined || (behind.kind === 'sign' && behind.text !== '%') || BEHIND_AMOUNT.has(behind.text);
  return ends ? { next: cents.next, value: cents.value } : null;
}

export const MONEY_UNITS: readonly string[] = [...CURRENCIES, ...HUNDREDTHS];
export const MONEY_BEGINNINGS: readonly string[] = [...SIGNS, ...CODES];

export function isMoneySign(sign: string): boolean {
  return SIGNS.has(sign);
}

/** "Fourteen twenty-five" dollars are 1,425 or 14.25: only the other side can tell. */
function formsOf(number: NumberReading): string[] {
  const forms = [numberForm(number.value)];
  const cents = number.groups[1];
  if (number.groups.length === 2 && cents !== undefined && cents >= 10 && cents < 100) {
    forms.push(numberForm((number.groups[0] ?? 0) + cents / 100));
  }
  return forms;
}

function made(
  tokens: readonly Token[],
  at: number,
  next: number,
  forms: string[],
): { next: number; value: SpokenValue } {
  return { next, value: { kind: 'money', from: tokens[at]?.from ?? 0, to: tokens[next - 1]?.to ?? 0, forms } };
}
