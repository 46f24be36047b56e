import { readCode } from './codes.ts';
import { readDate } from './dates.ts';
import { readMoney } from './money.ts';
import { readNumber } from './numbers.ts';
import { readTime } from './times.ts';
import { cutTokens, type Token } from './tokens.ts';
import { numberForm, type SpokenValue } from './value.ts';

/** Texts are read up to here; nobody says more values than that in one turn. */
const READ_AT_MOST = 6000;

/** All values of a text in order, none inside another: money, dates, times of day, codes, then plain numbers. */
export function readValues(text: string): SpokenValue[] {
  const tokens = cutTokens(text.length > READ_AT_MOST ? text.slice(0, READ_AT_MOST) : text);
  const values: SpokenValue[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = readAt(tokens, at);
    if (found === null) {
      at += 1;
      continue;
    }
    values.push(found.value);
    at = Math.max(found.next, at + 1);
  }
  return values;
}

function readAt(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  const sure = readMoney(tokens, at) ?? readDate(tokens, at);
  if (sure !== null) return sure;
  const time = readTime(tokens, at);
  const code = readCode(tokens, at);
  // "Two A M four" goes on behind the hour: it is spelled out.
  if (time !== null && (code === null || code.next <= time.next)) return time;
  return code ?? readPlain(tokens, at);
}

function readPlain(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  const number = readNumber(tokens, at);
  if (number === null) return null;
  const from = tokens[at]?.from ?? 0;
  const forms = [...new Set([numberForm(number.value), number.digits])];
  return { next: number.next, value: { kind: 'number', from, to: tokens[number.next - 1]?.to ?? from, forms } };
}
