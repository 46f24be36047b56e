import type { EntityManager } from '../../db/database.ts';
import { insertOutboxEntry } from '../../db/system/outbox.ts';
import type { OutboxEntry } from '../../temporal/outbox.ts';

/**
 * Writes an entry of the outbox in the caller's transaction, beside the row that it serves. Any worker's relay sends it
 * as soon as the transaction commits, or later if Temporal is away: the caller never waits for Temporal.
 */
export async function addToOutbox(
  em: EntityManager,
  written: { entry: OutboxEntry; workspaceId: string; agentId: string | null },
): Promise<void> {
  await insertOutboxEntry(em, written.entry, { workspaceId: written.workspaceId, agentId: written.agentId });
}
