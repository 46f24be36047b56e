import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';

/** What became of one record: every one ends as exactly one of these. */
export type Reading =
  | { ref: string; state: 'call'; payload: Json; call: NormalisedCall }
  /** Kept with its reason; the payload is there when the platform gave one. */
  | { ref: string; state: 'failed'; reason: string; payload: Json | null }
  | { ref: string; state: 'ongoing' }
  | { ref: string; state: 'gone' };

/** Whatever the payload holds, the answer is a call or a reason. */
export function callOrReason(
  reader: { normalise(payload: Json): NormalisedCall },
  ref: string,
  payload: Json,
): Reading {
  try {
    return { ref, state: 'call', payload, call: reader.normalise(payload) };
  } catch (error) {
    const reason =
      error instanceof UnreadableCall
        ? error.message
        : `The record could not be read (${error instanceof Error ? error.name : 'unknown error'}).`;
    return { ref, state: 'failed', reason, payload };
  }
}
