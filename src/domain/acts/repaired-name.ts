import type { SpokenTurn } from '../calls/spoken-turn.ts';
import type { Correction } from './act.ts';
import { isNearName, nameAt } from './corrected-name.ts';
import type { CompiledWords } from './lists/words-of.ts';
import { marksOf } from './self-repair.ts';

/** "Miller, sorry, Millner": a name, and in the same breath the one that is meant. */
export function repairedName(turn: SpokenTurn, lists: CompiledWords): Correction | null {
  for (const mark of marksOf(turn, lists)) {
    const [old, now] = [mark.from - 1, behind(turn, mark.to)];
    if (mark.behind || !isWordOfItsOwn(turn, old) || !isWordOfItsOwn(turn, now)) continue;
    if (!isNearName(turn.words[old] ?? '', turn.words[now] ?? '')) continue;
    return {
      turn: turn.index,
      slot: 'name',
      old: nameAt(turn, old),
      oldBy: 'caller',
      oldTurn: turn.index,
      now: nameAt(turn, now),
      explicit: true,
    };
  }
  return null;
}

/** The next word that is in no list: "it's" and "with a" may stand before it. */
function behind(turn: SpokenTurn, from: number): number {
  let at = from;
  while (at < from + SMALL_WORDS && at < turn.words.length && (turn.bits[at] ?? 0) !== 0) at += 1;
  return at;
}

const SMALL_WORDS = 3;
const LETTERS_AT_LEAST = 3;

function isWordOfItsOwn(turn: SpokenTurn, at: number): boolean {
  return (turn.words[at] ?? '').length >= LETTERS_AT_LEAST && (turn.bits[at] ?? 0) === 0;
}
