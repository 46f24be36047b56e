import { newId } from '../../ids.ts';
import { deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';
import { insertOutboxEntry } from '../system/outbox.ts';

/** So long after its time a notice that no message took has been missed by it. */
const MISSED_MINUTES = 2;
const KEPT_DAYS = 30;

/** Has a message of their own made for notices that were written just as the message that they were due with went out. */
export async function sendMissed(em: EntityManager, workspaceId: string): Promise<void> {
  await em.transactional(async (tx) => {
    const channels = await db(tx)
      .selectFrom('notices as n')
      .innerJoin('webhooks as w', 'w.id', 'n.channelId')
      .where('n.workspaceId', '=', workspaceId)
      .where('n.deliveryId', 'is', null)
      .where('n.dueAt', '<', ago(MISSED_MINUTES, 'minutes'))
      .where('n.dueAt', '>', ago(1, 'days'))
      .where('w.enabled', '=', true)
      .where('w.deletedAt', 'is', null)
      .where(({ not, exists, selectFrom }) => {
        const due = selectFrom('webhook_deliveries as d')
          .whereRef('d.webhookId', '=', 'n.channelId')
          .where('d.event', '=', 'digest')
          .where('d.state', '=', 'pending')
          .where('d.nextTryAt', '<', now);
        return not(exists(due.select('d.id')));
      })
      .select((eb) => ['n.channelId', eb.fn.max('n.dueAt').as('dueAt')])
      .groupBy('n.channelId')
      .execute();
    for (const { channelId, dueAt } of channels) await makeMessage(tx, workspaceId, channelId, `missed/${dueAt}`);
  });
}

async function makeMessage(em: EntityManager, workspaceId: string, webhookId: string, eventKey: string): Promise<void> {
  const made = await db(em)
    .insertInto('webhook_deliveries')
    .values({ id: newId(), workspaceId, webhookId, event: 'digest', eventKey, nextTryAt: now })
    .onConflict((conflict) => conflict.columns(['webhookId', 'event', 'eventKey']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return;
  const entry = deliveryEntry({ deliveryId: made.id, workspaceId, agentId: null, event: 'digest', again: 0 });
  await insertOutboxEntry(em, entry, { workspaceId, agentId: null });
}

/** Deletes by age what messages were made of; the log stays. */
export async function forgetNotices(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em)
    .deleteFrom('notices')
    .where('workspaceId', '=', workspaceId)
    .where('createdAt', '<', ago(KEPT_DAYS, 'days'))
    .execute();
}
