import { CODE_BEGINNINGS, CODE_JOINTS } from './codes.ts';
import { DATE_BEGINNINGS } from './dates.ts';
import { MONEY_BEGINNINGS, MONEY_UNITS } from './money.ts';
import { NUMBER_BEGINNINGS } from './numbers.ts';
import { TIME_BEGINNINGS } from './times.ts';
import { isGlued, type Token } from './tokens.ts';

/** Words and signs by which a value can begin, so that one look at a word spares all readers most of them. */
export const BEGINNINGS: ReadonlySet<string> = new Set([
  ...MONEY_BEGINNINGS,
  ...DATE_BEGINNINGS,
  ...TIME_BEGINNINGS,
  ...CODE_BEGINNINGS,
  ...NUMBER_BEGINNINGS,
]);

/** What goes on behind a letter: "a hundred", "a dollar fifty", "S as in Sam", "N for November". */
const BEHIND_LETTER: ReadonlySet<string> = new Set([
  ...BEGINNINGS,
  ...CODE_JOINTS,
  ...MONEY_UNITS,
  'as',
  'for',
  'hundred',
  'thousand',
]);

/** "I", "a": a letter before a common word begins nothing. An "o" may be a zero. */
function standsAlone(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.text === 'o') return false;
  const next = tokens[at + 1];
  if (next === undefined) return true;
  if (next.kind !== 'word' || next.text.length === 1 || BEHIND_LETTER.has(next.text)) return false;
  return tokens[at + 2]?.kind !== 'digits';
}

/** True where some value may begin at the token; false where certainly none does. */
export function mayBegin(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (token.kind === 'digits' || BEGINNINGS.has(token.text)) return true;
  if (token.kind === 'sign') return false;
  if (token.text.length === 1) return !standsAlone(tokens, at);
  return (
    (tokens[at + 1]?.kind === 'digits' && isGlued(tokens, at + 1)) ||
    (tokens[at - 1]?.kind === 'digits' && isGlued(tokens, at))
  );
}
