import type { Side } from '../vocabulary.ts';
import type { NormalisedCall, Turn } from './call.ts';
import type { CallBase } from './call-base.ts';

/**
 * What the record holds of what a side said. `part`: words of some of its turns; `missing`: it spoke, and no word arrived;
 * `not_recorded`: whether it spoke is not known; `silent`: it could have been heard, and said nothing.
 */
export interface SideRecord {
  state: 'words' | 'part' | 'missing' | 'not_recorded' | 'silent';
  /** Turns whose words are missing. */
  missing: readonly Turn[];
}

/** @param hasWords true where a turn of the side holds speech. */
export function readSide(call: NormalisedCall, side: Side, hasWords: boolean): SideRecord {
  const own = call.turns.filter(({ role }) => role === side);
  const marked = own.filter(({ wordsMissing }) => wordsMissing === true);
  if (hasWords) return { state: marked.length > 0 ? 'part' : 'words', missing: marked };
  // Where a recogniser wrote nothing at all, long turns without text are no noise.
  const missing = own.filter((turn) => turn.wordsMissing === true || isLongAndEmpty(turn));
  if (missing.length > 0) return { state: 'missing', missing };
  return { state: call.notRecorded?.includes(side) ? 'not_recorded' : 'silent', missing };
}

function isLongAndEmpty({ text, toolCall, startMs, endMs }: Turn): boolean {
  return text === '' && toolCall === null && startMs !== null && endMs !== null && endMs - startMs >= SPOKEN_MS;
}

/** No word is said in less. */
export const SPOKEN_MS = 1000;

/** In a sentence, what is missing of what a side said; null where nothing is. */
export function missingSide(sides: CallBase['sides'], side: Side): string | null {
  const { state, missing } = sides[side];
  if (state === 'not_recorded') return `The record does not hold the ${side}'s side of the call.`;
  if (state === 'missing') return `The words of the ${side} are missing: the record only shows when they spoke.`;
  if (state !== 'part') return null;
  return `The words of ${missing.length} ${missing.length === 1 ? 'turn' : 'turns'} of the ${side} are missing.`;
}
