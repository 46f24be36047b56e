import { sql } from 'kysely';
import type { DeliveryState } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import type { ListPage } from '../pages.ts';
import { type DeliveryView, findDelivery, listDeliveries } from '../webhooks/delivery-log.ts';

/** A delivery of a channel, with the subject that it was composed with. */
export type MessageView = DeliveryView & { subject: string | null };

/** Newest first. */
export async function listMessages(
  em: EntityManager,
  channelId: string,
  filter: { state: DeliveryState | null },
  page: ListPage,
): Promise<MessageView[]> {
  return withSubjects(em, await listDeliveries(em, channelId, filter, page));
}

/** Of the workspace in scope. */
export async function findMessage(em: EntityManager, id: string): Promise<MessageView | null> {
  const delivery = await findDelivery(em, id);
  const [message = null] = delivery === null ? [] : await withSubjects(em, [delivery]);
  return message;
}

async function withSubjects(em: EntityManager, deliveries: readonly DeliveryView[]): Promise<MessageView[]> {
  const rows = await db(em)
    .selectFrom('webhook_deliveries')
    .where('id', '=', anyId(deliveries.map(({ id }) => id)))
    .where('body', 'is not', null)
    .select(['id', sql<string | null>`body::jsonb #>> '{message,subject}'`.as('subject')])
    .execute();
  const subjects = new Map(rows.map(({ id, subject }) => [id, subject]));
  return deliveries.map((delivery) => ({ ...delivery, subject: subjects.get(delivery.id) ?? null }));
}
