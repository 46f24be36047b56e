import type { Database } from '../../db/database.ts';
import { claimOrders, markOrderSent, markOrderUnsent } from '../../db/queries/orders.ts';
import type { TemporalGateway } from '../temporal.ts';

const BATCH = 20;
/** Longer than a batch takes, so that a living sender keeps what it took. */
const LEASE_SECONDS = 30;
const LONGEST_GAP_SECONDS = 30;

export interface SendOrdersDeps {
  database: Database;
  temporal: TemporalGateway;
}

/**
 * Sends one batch of unsent orders, oldest first. Sending twice is harmless: ids are made of the row's, and a message
 * carries its own. An order that cannot be sent stays for the sweep with its last error.
 * @returns how many were sent.
 */
export async function sendOrders({ database, temporal }: SendOrdersDeps): Promise<number> {
  const orders = await claimOrders(database.em(), BATCH, LEASE_SECONDS);
  let sent = 0;
  for (const order of orders) {
    try {
      await temporal.deliver(order);
    } catch (error) {
      const gapSeconds = Math.min(2 ** Math.min(order.tries, 10), LONGEST_GAP_SECONDS);
      await markOrderUnsent(database.em(), order.id, words(error), gapSeconds);
      continue;
    }
    await markOrderSent(database.em(), order.id);
    sent += 1;
  }
  return sent;
}

function words(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
