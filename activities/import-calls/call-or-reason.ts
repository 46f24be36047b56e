import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Analyser, AnalysisFailed } from '../../src/analyser/analyser.ts';
import { orReason, type ReadPayload } from '../../src/analyser/read-payload.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';
import type { RecordReader } from '../../src/platforms/port.ts';

/** What became of one record: every one ends as exactly one of these. */
export type Reading =
  | { ref: string; state: 'call'; payload: Json; call: NormalisedCall }
  /** Kept with its reason; the payload is there when the platform gave one. */
  | { ref: string; state: 'failed'; reason: string; payload: Json | null }
  | { ref: string; state: 'ongoing' }
  | { ref: string; state: 'gone' };

/** Who makes calls of payloads, and in whose turn. */
export interface PayloadReader {
  analyser: Pick<Analyser, 'readPayload'>;
  workspaceId: string;
  reader: RecordReader;
}

/**
 * Characters of the JSON of a payload that is read here. What is made of a payload may take the square of its length:
 * larger ones are read in a process that ends with its time.
 */
const HERE_AT_MOST = 32 * 1024;

/** Whatever the payload holds, the answer is a call or a reason. */
export async function callOrReason(by: PayloadReader, ref: string, payload: Json): Promise<Reading> {
  const read = await readPayload(by, payload);
  return 'call' in read
    ? { ref, state: 'call', payload, call: read.call }
    : { ref, state: 'failed', reason: read.unreadable, payload };
}

async function readPayload({ analyser, workspaceId, reader }: PayloadReader, payload: Json): Promise<ReadPayload> {
  if (JSON.stringify(payload).length <= HERE_AT_MOST) {
    // Whoever else waits for this process is heard between two calls.
    await nextTurn();
    return orReason(() => reader.normalise(payload));
  }
  try {
    return await analyser.readPayload(workspaceId, reader.platform, payload, Date.now());
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    return { unreadable: `The record could not be read. ${error.message}` };
  }
}
