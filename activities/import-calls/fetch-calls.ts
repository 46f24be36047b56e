import { PlatformError } from '../../src/platforms/port.ts';
import type { AgentPlatform } from '../shared/agent-platform.ts';
import { callOrReason, type PayloadReader, type Reading } from './call-or-reason.ts';

export interface FetchedCalls {
  readings: Reading[];
  /** Calls for which the platform had no usable answer this time. */
  unanswered: { ref: string; error: PlatformError }[];
  /** The platform asked to wait: nothing more was begun after that. */
  rateLimit: PlatformError | null;
}

const IN_FLIGHT = 4;
/** After so many calls in a row without an answer the platform is taken to be away, and nothing more is begun. */
const UNANSWERED_IN_A_ROW = 5;

/**
 * Reads calls from the platform, at most four at a time. One that cannot be read never keeps another from being read.
 * @throws PlatformError when the platform refuses the key or the address: no call will be better.
 */
export async function fetchCalls(
  platform: AgentPlatform,
  by: Omit<PayloadReader, 'reader'>,
  refs: readonly string[],
): Promise<FetchedCalls> {
  const fetched: FetchedCalls = { readings: [], unanswered: [], rateLimit: null };
  const queue = [...refs];
  let unansweredInARow = 0;
  async function drain(): Promise<void> {
    for (let ref = queue.shift(); ref !== undefined; ref = queue.shift()) {
      if (fetched.rateLimit || unansweredInARow >= UNANSWERED_IN_A_ROW) return;
      try {
        fetched.readings.push(await readCall(platform, by, ref));
        unansweredInARow = 0;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.kind === 'rate_limited') fetched.rateLimit = error;
        else if (error.kind === 'unavailable' || error.kind === 'bad_answer') {
          fetched.unanswered.push({ ref, error });
          unansweredInARow += 1;
        } else throw error;
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, drain));
  return fetched;
}

async function readCall(
  { adapter, connection }: AgentPlatform,
  by: Omit<PayloadReader, 'reader'>,
  ref: string,
): Promise<Reading> {
  try {
    const fetched = await adapter.getCall(connection, ref);
    if (fetched.state !== 'over') return { ref, state: fetched.state };
    return await callOrReason({ ...by, reader: adapter }, ref, fetched.payload);
  } catch (error) {
    if (error instanceof PlatformError && (error.kind === 'rejected' || error.kind === 'too_large')) {
      return { ref, state: 'failed', reason: error.message, payload: null };
    }
    throw error;
  }
}
