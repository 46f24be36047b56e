import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, anyText } from '../expressions.ts';
import type { NewRow } from '../tables.ts';

/** Which of the problems each of the channels was told of already. */
export async function toldThreads(
  em: EntityManager,
  channelIds: readonly string[],
  threads: readonly string[],
): Promise<{ channelId: string; thread: string }[]> {
  return db(em)
    .selectFrom('message_threads')
    .where('channelId', '=', anyId(channelIds))
    .where('thread', '=', anyText(threads))
    .select(['channelId', 'thread'])
    .execute();
}

/** The message becomes the first one on those of the problems that the channel was not told of. */
export async function rootThreads(
  em: EntityManager,
  rows: readonly { workspaceId: string; channelId: string; thread: string; rootDeliveryId: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await db(em)
    .insertInto('message_threads')
    .values(rows.map((row): NewRow<'message_threads'> => ({ ...row })))
    .onConflict((conflict) => conflict.columns(['channelId', 'thread']).doNothing())
    .execute();
}

/** Keeps what the receiver calls the first message on a problem. */
export async function noteRootRef(em: EntityManager, deliveryId: string, ref: string): Promise<void> {
  await db(em)
    .updateTable('message_threads')
    .where('rootDeliveryId', '=', deliveryId)
    .where('rootRef', 'is', null)
    .set({ rootRef: ref })
    .execute();
}

export interface ThreadRoot {
  deliveryId: string;
  ref: string | null;
  /** Whether it is still on its way. */
  isPending: boolean;
}

/** The message that one on these problems stands beneath: that of the only problem, where it is another one. */
export async function findRoot(
  em: EntityManager,
  channelId: string,
  deliveryId: string,
  threads: readonly string[],
): Promise<ThreadRoot | null> {
  const [thread, second] = new Set(threads);
  if (thread === undefined || second !== undefined) return null;
  const root = await db(em)
    .selectFrom('message_threads as t')
    .leftJoin('webhook_deliveries as d', 'd.id', 't.rootDeliveryId')
    .where('t.channelId', '=', channelId)
    .where('t.thread', '=', thread)
    .where('t.rootDeliveryId', '<>', deliveryId)
    .select(['t.rootDeliveryId as deliveryId', 't.rootRef as ref'])
    .select(sql<boolean>`coalesce(d.state = 'pending', false)`.as('isPending'))
    .executeTakeFirst();
  return root ?? null;
}
