import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock } from '../expressions.ts';

/** For how long a platform wants no more requests of an account, in milliseconds: below 0 since when it does again. */
export const limitedForMs = sql<number>`coalesce(
  extract(epoch from c.limited_until - clock_timestamp())::float8 * 1000, '-infinity')`;

/** The same, read anew. */
export async function readLimit(em: EntityManager, connectionId: string): Promise<number> {
  const row = await db(em)
    .selectFrom('platform_connections as c')
    .where('c.id', '=', connectionId)
    .select(limitedForMs.as('forMs'))
    .executeTakeFirst();
  return row?.forMs ?? Number.NEGATIVE_INFINITY;
}

/** What a platform told one request counts for all of its account, until the latest time that any was told. */
export async function noteLimit(em: EntityManager, connectionId: string, forMs: number): Promise<void> {
  const until = sql<string>`${clock} + ${`${forMs} milliseconds`}::interval`;
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .set((eb) => ({ limitedUntil: eb.fn<string>('greatest', ['limitedUntil', until]) }))
    .execute();
}

/** The platform has answered a request that did not keep the limit: it is over. */
export async function liftLimit(em: EntityManager, connectionId: string): Promise<void> {
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .where('limitedUntil', 'is not', null)
    .set({ limitedUntil: null })
    .execute();
}
