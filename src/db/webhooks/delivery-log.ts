import type { ExpressionBuilder } from 'kysely';
import type { DeliveryEvent, DeliveryState } from '../../domain/vocabulary.ts';
import { deliverNowEntry, deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { insertOutboxEntry } from '../system/outbox.ts';
import type { Tables } from '../tables.ts';

export interface DeliveryView {
  id: string;
  webhookId: string;
  agentId: string | null;
  event: DeliveryEvent;
  eventKey: string;
  state: DeliveryState;
  tries: number;
  again: number;
  lastTriedAt: string | null;
  nextTryAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  deliveredAt: string | null;
  hasBody: boolean;
  createdAt: string;
}

export interface TryView {
  try: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  at: string;
}

const views = (em: EntityManager) =>
  db(em)
    .selectFrom('webhook_deliveries')
    .select(['id', 'webhookId', 'agentId', 'event', 'eventKey', 'state', 'tries', 'again', 'lastTriedAt'])
    .select(['nextTryAt', 'lastStatus', 'lastError', 'deliveredAt', 'createdAt'])
    .select((eb) => eb('body', 'is not', null).$castTo<boolean>().as('hasBody'));

/** Newest first. */
export function listDeliveries(
  em: EntityManager,
  webhookId: string,
  { state }: { state: DeliveryState | null },
  page: ListPage,
): Promise<DeliveryView[]> {
  let deliveries = views(em).where('webhookId', '=', webhookId);
  if (state) deliveries = deliveries.where('state', '=', state);
  return newestFirst(deliveries, ['createdAt', 'id'], page).execute();
}

/** Of the workspace in scope. */
export async function findDelivery(em: EntityManager, id: string): Promise<DeliveryView | null> {
  return (await views(em).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The newest tries, oldest of them first. */
export async function listTries(em: EntityManager, deliveryId: string, most: number): Promise<TryView[]> {
  const newest = await db(em)
    .selectFrom('webhook_tries')
    .where('deliveryId', '=', deliveryId)
    .select(['try', 'status', 'error', 'durationMs', 'at'])
    .orderBy('try', 'desc')
    .limit(most)
    .execute();
  return newest.toReversed();
}

interface Reopened {
  id: string;
  agentId: string | null;
  event: string;
  again: number;
}

/** Has one delivery tried at once: one that waits ends its wait, one that ended begins a new round. Lock its address first. */
export async function sendAgain(em: EntityManager, workspaceId: string, deliveryId: string): Promise<void> {
  const standing = await db(em)
    .selectFrom('webhook_deliveries')
    .where('id', '=', deliveryId)
    .select('state')
    .forUpdate()
    .executeTakeFirst();
  if (!standing) return;
  const waited = standing.state === 'pending';
  const row = await db(em)
    .updateTable('webhook_deliveries')
    .where('id', '=', deliveryId)
    .set({ state: 'pending', nextTryAt: now, deliveredAt: null })
    .$if(!waited, (query) => query.set(newRound))
    .returning(['id', 'agentId', 'event', 'again'])
    .executeTakeFirstOrThrow();
  await order(em, workspaceId, row, waited);
}

/**
 * Sends again what failed of the events since a time, oldest first, of those whose body is still kept. Lock their
 * address first. @returns how many; call it again while it returns `most`.
 */
export async function sendFailedAgain(
  em: EntityManager,
  workspaceId: string,
  webhookId: string,
  since: string,
  most: number,
): Promise<number> {
  const rows = await db(em)
    .updateTable('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_deliveries')
        .where('webhookId', '=', webhookId)
        .where('state', '=', 'failed')
        .where('createdAt', '>=', since)
        .where('body', 'is not', null)
        .select('id')
        .orderBy('createdAt')
        .orderBy('id')
        .limit(most),
    )
    .set({ state: 'pending', nextTryAt: now })
    .set(newRound)
    .returning(['id', 'agentId', 'event', 'again'])
    .execute();
  for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await order(em, workspaceId, row, false);
  return rows.length;
}

const newRound = (eb: ExpressionBuilder<Tables, 'webhook_deliveries'>) => ({
  again: eb('again', '+', 1),
  roundTries: 0,
  roundBeganAt: now,
});

async function order(em: EntityManager, workspaceId: string, row: Reopened, waited: boolean): Promise<void> {
  const { id: deliveryId, agentId, event, again } = row;
  const input = { deliveryId, workspaceId, agentId, event, again };
  await insertOutboxEntry(em, waited ? deliverNowEntry(input) : deliveryEntry(input), { workspaceId, agentId });
}
