import { sql } from 'kysely';
import { TRIED_FOR_MS } from '../../domain/delivery/schedule.ts';
import { deliveryOrder } from '../../durable/delivery.ts';
import type { EntityManager } from '../database.ts';
import { insertOrder } from '../system/orders.ts';

/** Far beyond what a try takes to begin: its workflow is missing, or waits behind many others, which a second order does not hurt. */
const OVERDUE_MINUTES = 10;
const AT_ONCE = 500;
const BODIES_KEPT_DAYS = 30;

/** Orders the deliveries anew whose next try is long overdue, as after a Temporal server that lost its data. */
export async function renewDeliveries(em: EntityManager, workspaceId: string): Promise<number> {
  return em.transactional(async (tx) => {
    const { rows } = await sql<{ deliveryId: string; agentId: string | null; event: string; again: number }>`
      select id as "deliveryId", agent_id as "agentId", event, again from webhook_deliveries
      where webhook_id in (select id from webhooks where workspace_id = ${workspaceId}) and state = 'pending'
        and next_try_at < now() - ${OVERDUE_MINUTES} * interval '1 minute'
      order by next_try_at limit ${AT_ONCE}
    `.execute(tx.getKysely());
    for (const row of rows) {
      await insertOrder(tx, deliveryOrder({ ...row, workspaceId }), { workspaceId, agentId: row.agentId });
    }
    return rows.length;
  });
}

/** Ends what no try could end: its workflow kept failing, for a fault of ours. */
export async function endAbandoned(em: EntityManager, workspaceId: string): Promise<void> {
  const reason = 'Given up: an error of Earshot kept it from being sent. Send it again after an upgrade.';
  await sql`
    update webhook_deliveries set state = 'failed', last_error = ${reason}, next_try_at = null
    where webhook_id in (select id from webhooks where workspace_id = ${workspaceId}) and state = 'pending'
      and round_began_at < now() - ${TRIED_FOR_MS} * interval '1 millisecond' - interval '2 days'
  `.execute(em.getKysely());
}

/** Deletes bodies by age; the log stays. */
export async function forgetBodies(em: EntityManager, workspaceId: string): Promise<void> {
  await sql`
    update webhook_deliveries set body = null
    where webhook_id in (select id from webhooks where workspace_id = ${workspaceId}) and body is not null
      and state <> 'pending' and created_at < now() - ${BODIES_KEPT_DAYS} * interval '1 day'
  `.execute(em.getKysely());
}
