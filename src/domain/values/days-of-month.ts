import { readDate } from './dates.ts';
import { readOrdinal } from './numbers.ts';
import type { Token } from './tokens.ts';
import type { CompiledWords } from './words-of.ts';

/** Lower ones count times and places more often than days: "the second one", "the third time". */
const SURE_FROM = 4;

/** "The twenty-sixth", "on the 8th": a day whose month nobody says. */
export function readDayOfMonth(
  tokens: readonly Token[],
  at: number,
  lists: CompiledWords,
): { next: number; day: string } | null {
  const ordinal = readOrdinal(tokens, at);
  if (ordinal === null || ordinal.value > 31 || ordinal.value < 1) return null;
  if (ordinal.value < SURE_FROM && tokens[at]?.kind !== 'digits' && !standsAlone(tokens, at, ordinal.next)) return null;
  if (lists.notDays.has(tokens[ordinal.next]?.text ?? '') || readDate(tokens, at) !== null) return null;
  return { next: ordinal.next, day: String(ordinal.value).padStart(2, '0') };
}

/** "No, the third", "on the second, at the market". */
function standsAlone(tokens: readonly Token[], at: number, next: number): boolean {
  const after = tokens[next];
  return tokens[at - 1]?.text === 'the' && (after === undefined || after.kind === 'sign');
}
