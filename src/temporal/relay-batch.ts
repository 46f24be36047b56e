import { currentTrace, inSpan } from '../tracing/tracing.ts';
import type { Delivery, TemporalGateway } from './client.ts';
import { entryOfRow, type StoredEntry, tracedRow, traceOfRow } from './outbox.ts';

export const ENTRIES_AT_ONCE = 20;
/** Longer than a batch takes, so that a living relay keeps what it took. */
const LEASE_SECONDS = 30;
const LONGEST_GAP_SECONDS = 10;

/** The outbox as the relay sees it; `src/services/outbox` opens the one in PostgreSQL. */
export interface OutboxStore {
  /** Takes unsent entries, oldest first, for as long as the lease lasts; two relays never take the same one. */
  claim(limit: number, leaseSeconds: number): Promise<StoredEntry[]>;
  markSent(id: string): Promise<void>;
  /** Leaves the entry to a later look, with what went wrong in words. */
  markUnsent(id: string, error: string, againInSeconds: number): Promise<void>;
  /** Why a message that nobody took has to wait and may not be dropped, in a sentence; null where it may. */
  whyKept(entry: StoredEntry): Promise<string | null>;
}

export interface RelayDeps {
  outbox: OutboxStore;
  temporal: Pick<TemporalGateway, 'deliver'>;
}

/**
 * Sends one batch of unsent entries, oldest first for each workflow. Sending twice is harmless: ids are made of the row's,
 * and a message carries its own. An entry that cannot be sent stays for a later look with its last error.
 * @returns how many were sent.
 */
export async function relayBatch(deps: RelayDeps): Promise<number> {
  const entries = await deps.outbox.claim(ENTRIES_AT_ONCE, LEASE_SECONDS);
  const byWorkflow = Map.groupBy(entries, ({ workflowId }) => workflowId);
  const sent = await Promise.all([...byWorkflow.values()].map((group) => sendInOrder(deps, group)));
  return sent.reduce((sum, count) => sum + count, 0);
}

async function sendInOrder({ outbox, temporal }: RelayDeps, entries: StoredEntry[]): Promise<number> {
  for (const [at, entry] of entries.entries()) {
    try {
      const delivery = await deliver(temporal, entry);
      const kept = delivery === 'nobody' ? await outbox.whyKept(entry) : null;
      if (kept !== null) throw new Error(kept);
    } catch (error) {
      const gapSeconds = Math.min(2 ** Math.min(entry.tries, 10), LONGEST_GAP_SECONDS);
      for (const left of entries.slice(at)) await outbox.markUnsent(left.id, messageOf(error), gapSeconds);
      return at;
    }
    await outbox.markSent(entry.id);
  }
  return entries.length;
}

/** In the trace of the request that wrote the entry, where there is one. */
function deliver(temporal: RelayDeps['temporal'], entry: StoredEntry): Promise<Delivery> {
  const attributes = { 'temporal.workflow_id': entry.workflowId, 'earshot.outbox_action': entry.action };
  return inSpan(
    { name: `outbox ${entry.workflow}`, kind: 'producer', attributes },
    () => temporal.deliver(entryOfRow(tracedRow(entry, currentTrace()))),
    traceOfRow(entry),
  );
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
