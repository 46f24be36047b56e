import type { SpokenTurn } from '../calls/spoken-turn.ts';
import type { ActValue, Correction } from './act.ts';
import { apart, isNearCode, isShuffled } from './near-code.ts';

/**
 * "No, six at the end, zero three six": the part that was wrong is said, and the rest of the code stands. Without a word of
 * correction only what the caller had said before puts it right.
 */
export function correctedCode(
  turn: SpokenTurn,
  heard: SpokenTurn,
  isKnown: (part: string) => boolean,
): Correction | null {
  for (const value of turn.values.toReversed()) {
    if (value.denied || !isPart(value)) continue;
    const part = value.forms.at(-1) ?? '';
    if (!isKnown(part)) continue;
    for (const old of heard.values) {
      if (old.slot !== 'code') continue;
      const right = putRight(old.forms.at(-1) ?? '', part);
      if (right === null) continue;
      const now: ActValue = { ...value, kind: old.kind, slot: 'code', forms: [right] };
      return { turn: turn.index, slot: 'code', old, oldBy: 'agent', oldTurn: heard.index, now, explicit: true };
    }
  }
  return null;
}

function isPart({ slot }: ActValue): boolean {
  return slot === 'code' || slot === 'count' || slot === 'spelling';
}

/** The code with its end as the caller says it; null where the end is the same, or another thing altogether. */
function putRight(whole: string, part: string): string | null {
  if (part.length === whole.length) return isNearCode(whole, part) ? part : null;
  if (part.length < PART_AT_LEAST || part.length > whole.length || whole.includes(part)) return null;
  const end = whole.slice(-part.length);
  if (apart(end, part) > (part.length * 2) / 3 && !isShuffled(end, part)) return null;
  return whole.slice(0, -part.length) + part;
}

const PART_AT_LEAST = 2;
