import type { ExpressionBuilder } from 'kysely';
import { TRIED_FOR_MS } from '../../domain/delivery/schedule.ts';
import { deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago } from '../expressions.ts';
import { insertOutboxEntry } from '../system/outbox.ts';
import type { Tables } from '../tables.ts';

/** Far beyond what a try takes to begin: its workflow is missing, or waits behind many others, which a second order does not hurt. */
const OVERDUE_MINUTES = 10;
const AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Orders the deliveries anew whose next try is long overdue, as after a Temporal server that lost its data. */
export async function renewDeliveries(em: EntityManager, workspaceId: string): Promise<number> {
  return em.transactional(async (tx) => {
    const rows = await db(tx)
      .selectFrom('webhook_deliveries')
      .where('webhookId', 'in', ofWorkspace(workspaceId))
      .where('state', '=', 'pending')
      .where('nextTryAt', '<', ago(OVERDUE_MINUTES, 'minutes'))
      .select(['id as deliveryId', 'agentId', 'event', 'again'])
      .orderBy('nextTryAt')
      .limit(AT_ONCE)
      .execute();
    for (const row of rows) {
      await insertOutboxEntry(tx, deliveryEntry({ ...row, workspaceId }), { workspaceId, agentId: row.agentId });
    }
    return rows.length;
  });
}

/** Ends what no try could end: its workflow kept failing, for a fault of ours. */
export async function endAbandoned(em: EntityManager, workspaceId: string): Promise<void> {
  const reason = 'Given up: an error of Earshot kept it from being sent. Send it again after an upgrade.';
  await db(em)
    .updateTable('webhook_deliveries')
    .where('webhookId', 'in', ofWorkspace(workspaceId))
    .where('state', '=', 'pending')
    .where('roundBeganAt', '<', ago(TRIED_FOR_MS + 2 * DAY_MS, 'milliseconds'))
    .set({ state: 'failed', lastError: reason, nextTryAt: null })
    .execute();
}

/** Deletes bodies by age; the log stays. */
export async function forgetBodies(em: EntityManager, workspaceId: string, days: number): Promise<void> {
  await db(em)
    .updateTable('webhook_deliveries')
    .where('webhookId', 'in', ofWorkspace(workspaceId))
    .where('body', 'is not', null)
    .where('state', '<>', 'pending')
    .where('createdAt', '<', ago(days, 'days'))
    .set({ body: null })
    .execute();
}

const ofWorkspace = (workspaceId: string) => (eb: ExpressionBuilder<Tables, 'webhook_deliveries'>) =>
  eb.selectFrom('webhooks').where('webhooks.workspaceId', '=', workspaceId).select('webhooks.id');
