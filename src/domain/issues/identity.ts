import { sha256Hex } from '../digest.ts';
import type { Place } from '../signals/signal.ts';

/** What makes signals one problem: the code and the place, and the cause once a second cause was split off. Never words, never an intent. */
export interface GroupIdentity {
  code: string;
  place: Pick<Place, 'kind' | 'id'>;
  /** Empty for the base group. */
  splitCause: string;
}

/**
 * The key under which a problem is known for good: made once, from the first code and the place, and then stored.
 * The code stands in front so that a person can tell keys apart.
 */
export function issueKey({ code, place, splitCause }: GroupIdentity): string {
  const parts = splitCause === '' ? [code, place.kind, place.id] : [code, place.kind, place.id, splitCause];
  return `${code}-${sha256Hex(JSON.stringify(parts)).slice(0, 20)}`;
}

/** The key of the calls that end badly at a step: whatever is found to be behind them, it is about the step. */
export function outcomeKey(step: Pick<Place, 'kind' | 'id'>): string {
  return `outcome-${sha256Hex(JSON.stringify(['outcome', step.kind, step.id])).slice(0, 20)}`;
}
