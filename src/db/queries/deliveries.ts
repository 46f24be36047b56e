import { sql } from 'kysely';
import type { WebhookEvent } from '../../domain/vocabulary.ts';
import { deliveryOrder } from '../../durable/delivery.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { insertOrder } from '../system/orders.ts';

/** Whose event it is. */
export interface EventOwner {
  workspaceId: string;
  agentId: string;
}

export interface EventMessage {
  event: WebhookEvent;
  /** What it tells of, such as `run:<id>/0`: the same event reaches an address once. */
  eventKey: string;
  /** The exact bytes that are sent: JSON. */
  body: string;
}

export interface Listener {
  id: string;
  workspaceId: string;
  events: WebhookEvent[];
}

/**
 * Writes, in the caller's transaction, one delivery with its start order for each address that wants the event. Told
 * twice, an event is still delivered once; where the transaction is rolled back, it is not delivered at all.
 */
export async function enqueueDeliveries(em: EntityManager, message: EventOwner & EventMessage): Promise<void> {
  await enqueueFor(em, message, await listeners(em, message.agentId, [message.event]), [message]);
}

/** The addresses of the agent's workspace that are told of one of the events: one small look, mostly at nothing. */
export async function listeners(
  em: EntityManager,
  agentId: string,
  events: readonly WebhookEvent[],
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select w.id, w.workspace_id as "workspaceId", w.events
    from agents a join webhooks w on w.workspace_id = a.workspace_id
    where a.id = ${agentId} and w.deleted_at is null and w.enabled and w.events && ${[...events]}::text[]
      and (w.agent_id is null or w.agent_id = a.id)
    order by w.id
  `.execute(em.getKysely());
  return rows;
}

/** Writes the deliveries of several events for addresses that were looked up. */
export async function enqueueFor(
  em: EntityManager,
  { workspaceId, agentId }: EventOwner,
  addresses: readonly Listener[],
  messages: readonly EventMessage[],
): Promise<void> {
  const made = messages.flatMap((message) =>
    addresses
      .filter(({ events }) => events.includes(message.event))
      .map((address) => ({ id: newId(), webhookId: address.id, ...message })),
  );
  if (made.length === 0) return;
  const { rows } = await sql<{ id: string; event: string }>`
    insert into webhook_deliveries (id, workspace_id, webhook_id, agent_id, event, event_key, body, next_try_at)
    select m.id, ${workspaceId}::uuid, m.webhook_id, ${agentId}::uuid, m.event, m.event_key, m.body, now()
    from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ webhookId }) => webhookId)}::uuid[],
      ${made.map(({ event }) => event)}::text[], ${made.map(({ eventKey }) => eventKey)}::text[],
      ${made.map(({ body }) => body)}::text[]) as m(id, webhook_id, event, event_key, body)
    on conflict (webhook_id, event, event_key) do nothing returning id, event
  `.execute(em.getKysely());
  for (const { id: deliveryId, event } of rows) {
    const order = deliveryOrder({ deliveryId, workspaceId, agentId, event, again: 0 });
    await insertOrder(em, order, { workspaceId, agentId });
  }
}
