import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface RequestsToReserve {
  count: number;
  perSecond: number;
  /** It takes only what nobody has reserved before it, so that whatever else is to be asked never waits for long. */
  isBackfill: boolean;
}

/**
 * Reserves the next requests of an account at its rate, in one statement over all processes.
 * @returns in how many milliseconds the first of them may be made; null where a backfill has to ask again
 */
export async function reserveRequests(
  em: EntityManager,
  connectionId: string,
  { count, perSecond, isBackfill }: RequestsToReserve,
): Promise<number | null> {
  const { rows } = await sql<{ waitMs: number }>`
    with account as materialized (
      select id, greatest(next_request_at, clock_timestamp()) as free_at,
        coalesce(next_request_at <= clock_timestamp(), true) as is_free
      from platform_connections where id = ${connectionId} for update
    )
    update platform_connections c set next_request_at = account.free_at + ${count / perSecond}::float8 * interval '1 second'
    from account where c.id = account.id and (account.is_free or not ${isBackfill})
    returning extract(epoch from account.free_at - clock_timestamp())::float8 * 1000 as "waitMs"`.execute(db(em));
  const [reserved] = rows;
  return reserved ? Math.max(0, reserved.waitMs) : null;
}
