import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** The newest analysed calls on which a caller spoke and whose record is no larger than that, newest first. */
export async function newestReadableCalls(
  em: EntityManager,
  agentId: string,
  { limit, bytesAtMost }: { limit: number; bytesAtMost: number },
): Promise<string[]> {
  const calls = await db(em)
    .selectFrom('calls as c')
    .innerJoin('transcripts as t', 't.callId', 'c.id')
    .where('c.agentId', '=', agentId)
    .where('c.state', '=', 'analysed')
    .where('c.callerSpoke', '=', true)
    // As it is stored: a column of that size is not unpacked to see how large it is.
    .where(sql<boolean>`pg_column_size(t.call) <= ${bytesAtMost}`)
    .select('c.id')
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  return calls.map(({ id }) => id);
}
