import { sql } from 'kysely';
import type { WebhookEvent } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { deliveryEntry } from '../../temporal/deliver-webhook.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { insertOutboxEntry } from '../system/outbox.ts';
import type { NewRow } from '../tables.ts';

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
export function listeners(em: EntityManager, agentId: string, events: readonly WebhookEvent[]): Promise<Listener[]> {
  return db(em)
    .selectFrom('agents as a')
    .innerJoin('webhooks as w', 'w.workspaceId', 'a.workspaceId')
    .where('a.id', '=', agentId)
    .where('w.deletedAt', 'is', null)
    .where('w.enabled', '=', true)
    .where('w.events', '&&', sql.val([...events]))
    .where((eb) => eb.or([eb('w.agentId', 'is', null), eb('w.agentId', '=', eb.ref('a.id'))]))
    .select(['w.id', 'w.workspaceId', 'w.events'])
    .orderBy('w.id')
    .execute();
}

/** The addresses that are told of what happens in a workspace besides its agents. */
export function listenersOfWorkspace(em: EntityManager, workspaceId: string, event: WebhookEvent): Promise<Listener[]> {
  return db(em)
    .selectFrom('webhooks')
    .where('workspaceId', '=', workspaceId)
    .where('deletedAt', 'is', null)
    .where('enabled', '=', true)
    .where('events', '&&', sql.val([event]))
    .select(['id', 'workspaceId', 'events'])
    .orderBy('id')
    .execute();
}

/** Writes the deliveries of several events for addresses that were looked up. */
export async function enqueueFor(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string | null },
  addresses: readonly Listener[],
  messages: readonly EventMessage[],
): Promise<void> {
  const made = messages.flatMap(({ event, eventKey, body }) =>
    addresses
      .filter(({ events }) => events.includes(event))
      .map(({ id: webhookId }) => ({ id: newId(), workspaceId, agentId, webhookId, event, eventKey, body })),
  );
  if (made.length === 0) return;
  const rows = await db(em)
    .insertInto('webhook_deliveries')
    .values(made.map((row): NewRow<'webhook_deliveries'> => ({ ...row, nextTryAt: now })))
    .onConflict((conflict) => conflict.columns(['webhookId', 'event', 'eventKey']).doNothing())
    .returning(['id', 'event'])
    .execute();
  for (const { id: deliveryId, event } of rows) {
    const entry = deliveryEntry({ deliveryId, workspaceId, agentId, event, again: 0 });
    await insertOutboxEntry(em, entry, { workspaceId, agentId });
  }
}
