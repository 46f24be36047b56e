import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import type { ActValue } from './act.ts';
import { compare } from './same-value.ts';
import { wordAt } from './self-repair.ts';

/** Nearer to each other two values are a stretch or a choice: "the fourth to the ninth". */
const WORDS_BETWEEN = 3;

/**
 * "The fourth, that's when I'm away, so the fifth please": the caller says once more what stands, and ends on another one.
 *
 * @param given the turn's values of one slot, each once.
 * @returns the value that was turned away from, or null.
 */
export function turnedAway(turn: SpokenTurn, given: readonly ActValue[], standing: ActValue): ActValue | null {
  const [named, now, ...more] = given;
  if (named === undefined || now === undefined || more.length > 0 || turn.asks) return null;
  if (compare(named, standing) !== 'same' || compare(now, standing) !== 'other') return null;
  const [from, to] = [wordAt(turn, named.to), wordAt(turn, now.from)];
  const isJoined = turn.hits.some(
    ({ list, ...hit }) => (list === 'joins' || list === 'adds') && hit.from >= from && hit.to <= to,
  );
  return to - from < WORDS_BETWEEN || isJoined ? null : named;
}

/** Only who asks for the new value has made up their mind. */
export function isDecided(turn: SpokenTurn): boolean {
  return says(turn, 'request') || says(turn, 'request_strong');
}
