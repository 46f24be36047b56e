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
  events: WebhookEvent[];
}

/**
 * Writes, in the caller's transaction, one delivery with its start order for each address that wants the event. Told
 * twice, an event is still delivered once; where the transaction is rolled back, it is not delivered at all.
 */
export async function enqueueDeliveries(em: EntityManager, message: EventOwner & EventMessage): Promise<void> {
  await enqueueFor(em, message, await listeners(em, message, [message.event]), [message]);
}

/** The addresses that are told of one of the events about the agent: one small look, mostly at nothing. */
export async function listeners(
  em: EntityManager,
  { workspaceId, agentId }: EventOwner,
  events: readonly WebhookEvent[],
): Promise<Listener[]> {
  const { rows } = await sql<Listener>`
    select id, events from webhooks
    where workspace_id = ${workspaceId} and deleted_at is null and enabled and events && ${[...events]}::text[]
      and (agent_id is null or agent_id = ${agentId})
    order by created_at, id
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
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (id, workspace_id, webhook_id, agent_id, event, event_key, body, next_try_at)
    select m.id, ${workspaceId}::uuid, m.webhook_id, ${agentId}::uuid, m.event, m.event_key, m.body, now()
    from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ webhookId }) => webhookId)}::uuid[],
      ${made.map(({ event }) => event)}::text[], ${made.map(({ eventKey }) => eventKey)}::text[],
      ${made.map(({ body }) => body)}::text[]) as m(id, webhook_id, event, event_key, body)
    on conflict (webhook_id, event, event_key) do nothing returning id
  `.execute(em.getKysely());
  for (const { id } of rows) {
    await insertOrder(em, deliveryOrder({ deliveryId: id, workspaceId, again: 0 }), { workspaceId, agentId });
  }
}
