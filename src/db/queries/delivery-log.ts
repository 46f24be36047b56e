import { sql } from 'kysely';
import type { DeliveryState, WebhookEvent } from '../../domain/vocabulary.ts';
import { deliverNowOrder, deliveryOrder } from '../../durable/delivery.ts';
import type { EntityManager } from '../database.ts';
import { insertOrder } from '../system/orders.ts';
import { isoTime } from './webhooks.ts';

export interface DeliveryView {
  id: string;
  webhookId: string;
  agentId: string | null;
  event: WebhookEvent;
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

const view = sql`
  select id, webhook_id as "webhookId", agent_id as "agentId", event, event_key as "eventKey", state, tries, again,
    ${isoTime('last_tried_at')} as "lastTriedAt", ${isoTime('next_try_at')} as "nextTryAt",
    last_status as "lastStatus", last_error as "lastError", ${isoTime('delivered_at')} as "deliveredAt",
    body is not null as "hasBody", ${isoTime('created_at')} as "createdAt"
  from webhook_deliveries`;

/** Newest first. */
export async function listDeliveries(
  em: EntityManager,
  webhookId: string,
  filter: { state: DeliveryState | null },
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<DeliveryView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<DeliveryView>`
    ${view} where webhook_id = ${webhookId} and (${filter.state}::text is null or state = ${filter.state}) ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows;
}

/** Of the workspace in scope. */
export async function findDelivery(em: EntityManager, id: string): Promise<DeliveryView | null> {
  const { rows } = await sql<DeliveryView>`${view} where id = ${id}`.execute(em.getKysely());
  return rows[0] ?? null;
}

/** The newest tries, oldest of them first. */
export async function listTries(em: EntityManager, deliveryId: string, most: number): Promise<TryView[]> {
  const { rows } = await sql<TryView>`
    select try, status, error, duration_ms as "durationMs", ${isoTime('at')} as at
    from webhook_tries where delivery_id = ${deliveryId} order by try desc limit ${most}
  `.execute(em.getKysely());
  return rows.toReversed();
}

interface Reopened {
  id: string;
  agentId: string | null;
  event: string;
  again: number;
}

/** Has one delivery tried at once: one that waits ends its wait, one that ended begins a new round. Lock its address first. */
export async function sendAgain(em: EntityManager, workspaceId: string, deliveryId: string): Promise<void> {
  const { rows } = await sql<Reopened & { waited: boolean }>`
    with before as (select id, state = 'pending' as waited from webhook_deliveries where id = ${deliveryId} for update)
    update webhook_deliveries d set state = 'pending', next_try_at = now(), delivered_at = null,
      again = again + case when waited then 0 else 1 end, round_tries = case when waited then round_tries else 0 end,
      round_began_at = case when waited then round_began_at else now() end
    from before where d.id = before.id
    returning d.id, agent_id as "agentId", event, again, waited
  `.execute(em.getKysely());
  for (const { waited, ...row } of rows) await order(em, workspaceId, row, waited);
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
  const { rows } = await sql<Reopened>`
    update webhook_deliveries set state = 'pending', next_try_at = now(), again = again + 1, round_tries = 0,
      round_began_at = now()
    where id in (
      select id from webhook_deliveries where webhook_id = ${webhookId} and state = 'failed'
        and created_at >= ${since}::timestamptz and body is not null
      order by created_at, id limit ${most}
    )
    returning id, agent_id as "agentId", event, again
  `.execute(em.getKysely());
  for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await order(em, workspaceId, row, false);
  return rows.length;
}

async function order(em: EntityManager, workspaceId: string, row: Reopened, waited: boolean): Promise<void> {
  const { id: deliveryId, agentId, event, again } = row;
  const input = { deliveryId, workspaceId, agentId, event, again };
  await insertOrder(em, waited ? deliverNowOrder(input) : deliveryOrder(input), { workspaceId, agentId });
}
