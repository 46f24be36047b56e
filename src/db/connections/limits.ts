import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { after, clock } from '../expressions.ts';

/** For how long a platform wants no more requests of an account, in milliseconds: below 0 since when it does again. */
const forMs = (column: 'limited_until' | 'live_limited_until') =>
  sql<number>`coalesce(extract(epoch from c.${sql.ref(column)} - clock_timestamp())::float8 * 1000, '-infinity')`;
export const limitedForMs = forMs('limited_until');
/** The same for whatever is no backfill. */
export const liveLimitedForMs = forMs('live_limited_until');

/** What a backfill is told holds the others up for so long at most: it is meant for whoever asks a thousand times. */
const OTHERS_HELD_AT_MOST_MS = 300_000;

/** For how long the platform wants no more requests of the account, in milliseconds; below 0 where it does. */
export interface AccountLimit {
  /** Of a backfill. */
  limitedForMs: number;
  /** Of anything else. */
  liveLimitedForMs: number;
}

const NO_LIMIT: AccountLimit = {
  limitedForMs: Number.NEGATIVE_INFINITY,
  liveLimitedForMs: Number.NEGATIVE_INFINITY,
};

/** The limits as they are now. */
export async function readLimit(em: EntityManager, connectionId: string): Promise<AccountLimit> {
  const row = await db(em)
    .selectFrom('platform_connections as c')
    .where('c.id', '=', connectionId)
    .select([limitedForMs.as('limitedForMs'), liveLimitedForMs.as('liveLimitedForMs')])
    .executeTakeFirst();
  return row ?? NO_LIMIT;
}

/** What a platform told one request counts for all of its account, until the latest time that any was told. */
export async function noteLimit(
  em: EntityManager,
  connectionId: string,
  told: { forMs: number; isBackfill: boolean },
): Promise<void> {
  const liveMs = told.isBackfill ? Math.min(told.forMs, OTHERS_HELD_AT_MOST_MS) : told.forMs;
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .set((eb) => ({
      limitedUntil: eb.fn<string>('greatest', ['limitedUntil', after(clock, told.forMs, 'milliseconds')]),
      liveLimitedUntil: eb.fn<string>('greatest', ['liveLimitedUntil', after(clock, liveMs, 'milliseconds')]),
    }))
    .execute();
}

/** The platform has answered a request that did not keep the limit: it is over. */
export async function liftLimit(em: EntityManager, connectionId: string): Promise<void> {
  await db(em)
    .updateTable('platform_connections')
    .where('id', '=', connectionId)
    .where('limitedUntil', 'is not', null)
    .set({ limitedUntil: null, liveLimitedUntil: null })
    .execute();
}
