import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

/** Calls that wait, more of which than that are handed over in batches. */
export const BATCHED_ABOVE = 500;
/** Calls of one batch: what a worker holds of them at a time fits beside its other work. */
const CALLS_OF_A_BATCH = 500;
/** After a batch that failed, calls are asked about one by one for so long. */
const REST_HOURS = 24;

export type ModelBatchRow = Pick<Row<'model_batches'>, 'state' | 'questions' | 'sendingAt' | 'providerId' | 'model'>;

/**
 * Puts calls about which nothing was asked yet into a batch, where more wait than are asked about one by one, in the order
 * in which they are read. @returns its id; null where none is to be made.
 */
export async function fillBatch(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  model: string,
  above = BATCHED_ABOVE,
): Promise<string | null> {
  const batchId = newId();
  const { rows } = await sql<{ calls: number }>`
    with open as materialized (
      select r.call_id, count(*) over () as calls
      from model_readings r
      join calls c on c.id = r.call_id and c.payload_digest = r.payload_digest and c.state = 'analysed' and not c.reanalyse
      join agents g on g.id = r.agent_id and g.model_reading <> 'off'
      where r.agent_id = ${agentId} and r.state = 'waiting' and r.batch_id is null and r.asks = 0 and r.reading is null
      order by r.suspected desc, r.call_at desc, r.call_id desc limit ${CALLS_OF_A_BATCH}
    ), taken as (
      update model_readings r set batch_id = ${batchId}, updated_at = now()
      from open where r.call_id = open.call_id and open.calls > ${above} and not exists (
        select from model_batches b where b.agent_id = ${agentId} and b.state = 'failed'
          and b.created_at > now() - make_interval(hours => ${REST_HOURS})
      )
      returning r.call_id
    ), made as (
      insert into model_batches (id, workspace_id, agent_id, model, questions)
      select ${batchId}, ${workspaceId}, ${agentId}, ${model}, count(*) from taken having count(*) > 0
      returning questions
    )
    select questions as calls from made`.execute(db(em));
  return rows.length > 0 ? batchId : null;
}

export async function findBatch(em: EntityManager, batchId: string): Promise<ModelBatchRow | null> {
  const row = await db(em)
    .selectFrom('model_batches')
    .where('id', '=', batchId)
    .select(['state', 'questions', 'sendingAt', 'providerId', 'model'])
    .executeTakeFirst();
  return row ?? null;
}

const batchOf = (em: EntityManager, batchId: string) =>
  db(em).updateTable('model_batches').where('id', '=', batchId).where('state', '=', 'open');

/** From here on the provider may have it. @returns since when. */
export async function beginSending(em: EntityManager, batchId: string, questions: number): Promise<string> {
  const row = await batchOf(em, batchId)
    .set((eb) => ({ questions, sendingAt: eb.fn.coalesce('sendingAt', now) }))
    .returning('sendingAt')
    .executeTakeFirstOrThrow();
  return row.sendingAt ?? new Date().toISOString();
}

export async function noteSent(em: EntityManager, batchId: string, providerId: string): Promise<void> {
  await batchOf(em, batchId).set({ providerId }).execute();
}

export async function endBatch(em: EntityManager, batchId: string, failure: string | null): Promise<void> {
  await batchOf(em, batchId)
    .set({ state: failure === null ? 'ended' : 'failed', note: failure })
    .execute();
}

/** Calls whose first question is in the batch and was not taken back. */
export async function callsInBatch(em: EntityManager, batchId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('model_readings')
    .where('batchId', '=', batchId)
    .select('callId')
    .orderBy('callId')
    .execute();
  return rows.map(({ callId }) => callId);
}

/** They are asked about one by one from now on. @param forgive the question was no try of theirs */
export async function leaveBatch(
  em: EntityManager,
  batchId: string,
  callIds: readonly string[],
  { forgive }: { forgive: boolean },
): Promise<void> {
  if (callIds.length === 0) return;
  await db(em)
    .updateTable('model_readings')
    .where('batchId', '=', batchId)
    .where('callId', '=', anyId(callIds))
    .set((eb) => ({
      batchId: null,
      forgiven: forgive ? eb.fn<number>('least', ['asks', eb('forgiven', '+', 1)]) : eb.ref('forgiven'),
      updatedAt: now,
    }))
    .execute();
}

/** The newest question about a call that was reserved and of which nobody has told what it cost. */
export async function openSubject(
  em: EntityManager,
  workspaceId: string,
  callId: string,
): Promise<{ subject: string; ask: number } | null> {
  const row = await db(em)
    .selectFrom('model_usage')
    .where('workspaceId', '=', workspaceId)
    .where('purpose', '=', 'call_reading')
    .where('subject', 'like', `${callId}/%`)
    .where('settledAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .select(['subject', 'ask'])
    .executeTakeFirst();
  return row ?? null;
}

export interface OpenBatch {
  workspaceId: string;
  agentId: string;
  batchId: string;
}

export async function openBatches(em: EntityManager, workspaceId: string): Promise<OpenBatch[]> {
  const rows = await db(em)
    .selectFrom('model_batches')
    .where('workspaceId', '=', workspaceId)
    .where('state', '=', 'open')
    .select(['id as batchId', 'agentId'])
    .execute();
  return rows.map((row) => ({ workspaceId, ...row }));
}

/** How many calls of an agent wait for a batch, and since when the oldest does; null: none. */
export async function readBatched(
  em: EntityManager,
  agentId: string,
): Promise<{ calls: number; since: string } | null> {
  const { rows } = await sql<{ calls: number; since: string | null }>`
    select count(*)::int as calls, min(b.created_at) as since
    from model_batches b join model_readings r on r.batch_id = b.id
    where b.agent_id = ${agentId} and b.state = 'open'`.execute(db(em));
  const [row] = rows;
  return row === undefined || row.calls === 0 || row.since === null ? null : { calls: row.calls, since: row.since };
}
