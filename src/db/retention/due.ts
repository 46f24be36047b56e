import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';

/** Calls that came in before so many days, oldest first. @param words only those whose words are still there */
export async function dueCalls(
  em: EntityManager,
  agentId: string,
  { days, limit, words }: { days: number; limit: number; words: boolean },
): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('wordsGone', 'in', words ? [false] : [false, true])
    .where('createdAt', '<', ago(days, 'days'))
    .select('id')
    .orderBy('createdAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes payloads that were stored before so many days, and spans and failed records as old. @returns payloads of calls. */
export async function dropPayloads(
  em: EntityManager,
  agentId: string,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const due = db(em)
    .selectFrom('raw_payloads')
    .where('agentId', '=', agentId)
    .where('storedAt', '<', ago(days, 'days'))
    .select('callId')
    .orderBy('storedAt')
    .limit(limit);
  const payloads = await db(em).deleteFrom('raw_payloads').where('callId', 'in', due).executeTakeFirst();
  await dropRecords(em, agentId, days);
  return Number(payloads.numDeletedRows);
}

const RECORD_GONE = ' The record itself is kept no longer: send it again.';

async function dropRecords(em: EntityManager, agentId: string, days: number): Promise<void> {
  await db(em)
    .updateTable('import_failures')
    .where('agentId', '=', agentId)
    .where('sealedPayload', 'is not', null)
    .where('updatedAt', '<', ago(days, 'days'))
    .set((eb) => ({
      sealedPayload: null,
      reason: eb('reason', '||', RECORD_GONE),
      updatedAt: now,
    }))
    .execute();
  await db(em)
    .deleteFrom('span_batches')
    .where('agentId', '=', agentId)
    .where('receivedAt', '<', ago(days, 'days'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('span_traces as t')
            .whereRef('t.agentId', '=', 'span_batches.agentId')
            .whereRef('t.traceId', '=', 'span_batches.traceId')
            .where('t.dueAt', 'is not', null)
            .select('t.traceId'),
        ),
      ),
    )
    .execute();
}
