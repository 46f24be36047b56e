import type { Database } from '../../db/database.ts';
import { isImportOpen } from '../../db/queries/imports.ts';
import { isRunOpen } from '../../db/queries/runs.ts';
import { claimOrders, markOrderSent, markOrderUnsent, type StoredOrder } from '../../db/system/orders.ts';
import type { TemporalGateway } from '../temporal.ts';

export const ORDERS_AT_ONCE = 20;
/** Longer than a batch takes, so that a living sender keeps what it took. */
const LEASE_SECONDS = 30;
const LONGEST_GAP_SECONDS = 10;

export interface SendOrdersDeps {
  database: Database;
  temporal: TemporalGateway;
}

/**
 * Sends one batch of unsent orders, oldest first for each workflow. Sending twice is harmless: ids are made of the row's,
 * and a message carries its own. An order that cannot be sent stays for the sweep with its last error.
 * @returns how many were sent.
 */
export async function sendOrders(deps: SendOrdersDeps): Promise<number> {
  const orders = await claimOrders(deps.database.unscoped(), ORDERS_AT_ONCE, LEASE_SECONDS);
  const byWorkflow = Map.groupBy(orders, ({ workflowId }) => workflowId);
  const sent = await Promise.all([...byWorkflow.values()].map((group) => sendInOrder(deps, group)));
  return sent.reduce((sum, count) => sum + count, 0);
}

async function sendInOrder({ database, temporal }: SendOrdersDeps, orders: StoredOrder[]): Promise<number> {
  for (const [at, order] of orders.entries()) {
    try {
      const delivery = await temporal.deliver(order);
      if (delivery === 'nobody' && (await isImportOpen(database.within(order.workspaceId), order.workflowId))) {
        throw new Error('The import has not begun yet; it is told as soon as it does.');
      }
      if (delivery === 'nobody' && (await isRunOpen(database.within(order.workspaceId), order.workflowId))) {
        throw new Error('The run has not begun yet; it is told as soon as it does.');
      }
    } catch (error) {
      const gapSeconds = Math.min(2 ** Math.min(order.tries, 10), LONGEST_GAP_SECONDS);
      for (const left of orders.slice(at))
        await markOrderUnsent(database.unscoped(), left.id, words(error), gapSeconds);
      return at;
    }
    await markOrderSent(database.unscoped(), order.id);
  }
  return orders.length;
}

function words(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
