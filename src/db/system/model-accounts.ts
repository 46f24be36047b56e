import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock } from '../expressions.ts';

/** Of an account that asks to wait and does not say for how long: so long, and twice as long each time that it says it again. */
const UNTOLD_MS = 5_000;
const LONGEST_UNTOLD_MS = 600_000;
/** What one answer says holds all others up for so long at most. */
const LONGEST_TOLD_MS = 3_600_000;

/**
 * Notes that an account wants no more questions for now, for every process: until the latest time that any was told.
 * @param forMs null: it did not say.
 * @returns until when.
 */
export async function noteModelLimit(em: EntityManager, accountId: string, forMs: number | null): Promise<string> {
  const told = forMs === null ? null : Math.min(forMs, LONGEST_TOLD_MS);
  const { rows } = await sql<{ until: string }>`
    insert into model_accounts as a (id, limited_until, untold)
    values (${accountId}, clock_timestamp() + coalesce(${told}::float8, ${UNTOLD_MS}) * interval '1 millisecond',
      ${forMs === null ? 1 : 0})
    on conflict (id) do update set
      untold = case when ${forMs === null} and a.limited_until <= clock_timestamp() then a.untold + 1 else a.untold end,
      limited_until = greatest(a.limited_until, clock_timestamp() + interval '1 millisecond' * coalesce(${told}::float8,
        least(${UNTOLD_MS} * power(2, least(a.untold, 16)), ${LONGEST_UNTOLD_MS})))
    returning limited_until as until`.execute(db(em));
  const [noted] = rows;
  if (!noted) throw new Error('A limit that was just written is not there.');
  return noted.until;
}

/** The account has answered: the next time that it asks to wait without saying for how long is a first time. */
export async function forgetUntold(em: EntityManager, accountId: string): Promise<void> {
  await db(em)
    .updateTable('model_accounts')
    .where('id', '=', accountId)
    .where('untold', '>', 0)
    .set({ untold: 0 })
    .execute();
}

/** Until when an account wants no questions; null where it may be asked. */
export async function modelLimitedUntil(em: EntityManager, accountId: string): Promise<string | null> {
  const row = await db(em)
    .selectFrom('model_accounts')
    .where('id', '=', accountId)
    .where('limitedUntil', '>', clock)
    .select('limitedUntil')
    .executeTakeFirst();
  return row?.limitedUntil ?? null;
}
