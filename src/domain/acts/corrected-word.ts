import type { ActValue } from '../values/value.ts';
import type { CompiledWords } from '../values/words-of.ts';
import { phraseAt } from '../words/phrase-table.ts';
import type { Correction } from './act.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** What takes the place of a name stands right behind it. */
const BEHIND_AT_MOST = 4;

/** "On Elm Grove, not Grove, Elm Road": a name is denied that had been said just before, and another one follows. */
export function correctedWord(turn: SpokenTurn, heard: SpokenTurn | null, lists: CompiledWords): Correction | null {
  for (let at = 1; at < turn.words.length; at += 1) {
    const denied = phraseAt(lists.denials, (place) => turn.words[place] ?? '', at);
    const place = denied?.next ?? -1;
    const word = turn.words[place] ?? '';
    if (denied === null || !isName(turn, place)) continue;
    const byAgent = heard?.words.includes(word) === true;
    const before = turn.words.slice(0, at);
    if (!byAgent && !before.includes(word)) continue;
    const now = nameBehind(turn, place, [...before, ...(heard?.words ?? [])]);
    if (now === null) continue;
    return {
      turn: turn.index,
      slot: 'name',
      old: nameAt(turn, place),
      oldBy: byAgent ? 'agent' : 'caller',
      oldTurn: byAgent ? (heard?.index ?? turn.index) : turn.index,
      now,
      explicit: true,
    };
  }
  return null;
}

function nameBehind(turn: SpokenTurn, place: number, said: readonly string[]): ActValue | null {
  for (let at = place + 1; at <= place + BEHIND_AT_MOST && at < turn.words.length; at += 1)
    if (isName(turn, at) && !said.includes(turn.words[at] ?? '')) return nameAt(turn, at);
  return null;
}

/** Written with a capital and no common word. */
function isName(turn: SpokenTurn, at: number): boolean {
  const start = turn.starts[at] ?? 0;
  return (turn.bits[at] ?? 0) === 0 && /^\p{Lu}\p{Ll}/u.test(turn.turn.text.slice(start, start + 2));
}

function nameAt(turn: SpokenTurn, at: number): ActValue {
  const [from, to] = [turn.starts[at] ?? 0, turn.ends[at] ?? 0];
  const text = turn.turn.text.slice(from, to);
  return { kind: 'spelling', slot: 'name', from, to, text, forms: [turn.words[at] ?? ''], denied: false };
}
