import { GOES_ON } from '../words/en/values.ts';
import { BEGINNINGS, mayBegin } from './beginnings.ts';
import { CODE_JOINTS, readCode } from './codes.ts';
import { readDate } from './dates.ts';
import { MONEY_UNITS, readMoney } from './money.ts';
import { readNumber } from './numbers.ts';
import { readTime } from './times.ts';
import { cutTokens, isGlued, type Token } from './tokens.ts';
import { numberForm, type SpokenValue } from './value.ts';

/** Texts are read up to here; nobody says more values than that in one turn. */
const READ_AT_MOST = 6000;

/** All values of a text in order, none inside another: money, dates, times of day, codes, then plain numbers. */
export function readValues(text: string): SpokenValue[] {
  const tokens = cutTokens(text.length > READ_AT_MOST ? text.slice(0, READ_AT_MOST) : text);
  const values: SpokenValue[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found = readValueAt(tokens, at);
    if (found === null) {
      at += 1;
      continue;
    }
    values.push(found.value);
    at = Math.max(found.next, at + 1);
  }
  return values;
}

/** The value that begins at a token, or null. */
export function readValueAt(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  if (!mayBegin(tokens, at)) return null;
  const plain = readPlain(tokens, at);
  if (plain !== null && standsAlone(tokens, plain.next)) return plain;
  const sure = readMoney(tokens, at) ?? readDate(tokens, at);
  if (sure !== null) return sure;
  const time = readTime(tokens, at);
  const code = readCode(tokens, at);
  // "Two A M four" goes on behind the hour: it is spelled out.
  if (time !== null && (code === null || code.next <= time.next)) return time;
  return code ?? plain;
}

/** Nothing behind the number can make it money, a date, a time or a code: most numbers need no other reader. */
function standsAlone(tokens: readonly Token[], next: number): boolean {
  const token = tokens[next];
  if (token === undefined) return true;
  if (token.kind === 'digits') return false;
  // Letters written in one with figures go on with a code: "313 EA9".
  if (tokens[next + 1]?.kind === 'digits' && isGlued(tokens, next + 1)) return false;
  if (token.kind === 'word') return token.text.length > 1 && !isGlued(tokens, next) && !MAY_FOLLOW.has(token.text);
  const after = tokens[next + 1];
  if (after === undefined) return STOPS.has(token.text);
  return (
    STOPS.has(token.text) &&
    !isGlued(tokens, next + 1) &&
    after.kind === 'word' &&
    after.text.length > 1 &&
    !MAY_FOLLOW.has(after.text)
  );
}

const STOPS = new Set(['.', '?', '!', ';', ',']);
const MAY_FOLLOW: ReadonlySet<string> = new Set([...BEGINNINGS, ...MONEY_UNITS, ...CODE_JOINTS, ...GOES_ON]);

function readPlain(tokens: readonly Token[], at: number): { next: number; value: SpokenValue } | null {
  const number = readNumber(tokens, at);
  if (number === null) return null;
  const from = tokens[at]?.from ?? 0;
  const form = numberForm(number.value);
  const forms = form === number.digits ? [form] : [form, number.digits];
  return { next: number.next, value: { kind: 'number', from, to: tokens[number.next - 1]?.to ?? from, forms } };
}
