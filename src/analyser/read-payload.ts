import type { NormalisedCall } from '../domain/calls/call.ts';
import type { Json } from '../domain/json.ts';
import type { Platform } from '../domain/vocabulary.ts';

/** The call that a payload holds, or why it holds none. */
export type ReadPayload = { call: NormalisedCall } | { unreadable: string };

/**
 * Whatever the payload holds, the answer is a call or a reason.
 * @param nowMs for platforms' times without a zone, in milliseconds.
 */
export async function readPayload(platform: Platform, payload: Json, nowMs: number): Promise<ReadPayload> {
  const { normalisePayload } = await import('../platforms/file/reader.ts');
  return orReason(() => normalisePayload(platform, payload, nowMs));
}

/** The same of a call that is made here. */
export async function orReason(make: () => NormalisedCall): Promise<ReadPayload> {
  const { UnreadableCall } = await import('../platforms/port.ts');
  try {
    return { call: make() };
  } catch (error) {
    if (error instanceof UnreadableCall) return { unreadable: error.message };
    return { unreadable: `The record could not be read (${error instanceof Error ? error.name : 'unknown error'}).` };
  }
}
