import { readNumber } from '../values/numbers.ts';
import { cutTokens } from '../values/tokens.ts';

/** The hour that one word says: "ten", "8"; null where it says none. */
export function digitsOfHour(word: string): number | null {
  const tokens = cutTokens(word);
  const number = readNumber(tokens, 0);
  return number !== null && number.next === tokens.length && number.value <= 12 ? number.value : null;
}
