import type { EntityManager } from '../../db/database.ts';
import { insertOrder } from '../../db/system/orders.ts';
import type { Order } from '../../durable/orders.ts';

/**
 * Writes a start order in the caller's transaction, beside the row that it serves. Any worker's starter sends it as
 * soon as the transaction commits, or later if Temporal is away: the caller never waits for Temporal.
 */
export async function writeOrder(
  em: EntityManager,
  written: { order: Order; workspaceId: string; agentId: string | null },
): Promise<void> {
  await insertOrder(em, written.order, { workspaceId: written.workspaceId, agentId: written.agentId });
}
