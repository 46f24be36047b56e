import type { StartEntry } from './outbox-entry.ts';

/** Questions about many calls that a provider answers in a batch: handed over, waited for, and taken back. */
export const READ_BATCH = 'readBatch';

export interface BatchInput {
  workspaceId: string;
  agentId: string;
  batchId: string;
  waits?: BatchWaits;
}

export interface BatchWaits {
  /** Before the first look; doubles up to `longestMs`. */
  firstMs: number;
  longestMs: number;
  /** From handing it over on: what is not answered by then is asked one by one. Providers promise a day. */
  giveUpMs: number;
}

export const BATCH_WAITS: BatchWaits = { firstMs: 60_000, longestMs: 900_000, giveUpMs: 30 * 3_600_000 };

/** `over`: there is nothing to wait for. */
export type BatchSent = { state: 'sent'; questions: number } | { state: 'over' };

export type BatchLook = { state: 'pending'; answered: number } | { state: 'ended' } | { state: 'over' };

export interface BatchTaken {
  answered: number;
  /** Asked one by one from now on. */
  unanswered: number;
}

export function readBatchEntry(input: BatchInput): StartEntry<typeof READ_BATCH, BatchInput> {
  return { kind: 'start', workflow: READ_BATCH, workflowId: `reader-batch/${input.batchId}`, input };
}
