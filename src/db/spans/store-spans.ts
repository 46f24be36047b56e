import { sql } from 'kysely';
import { SETTLE_SECONDS, SILENCE_SECONDS } from '../../domain/spans/waits.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText } from '../expressions.ts';

/** Spans of one trace as one request brought them. */
export interface NewBatch {
  traceId: string;
  digest: string;
  sealed: Buffer;
  spans: number;
  callRefs: string[];
  /** A span that stands for a whole call is among them. */
  ended: boolean;
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** How many spans of these traces are stored. */
export async function countSpans(em: EntityManager, agentId: string, traceIds: string[]): Promise<Map<string, number>> {
  const rows = await db(em)
    .selectFrom('span_traces')
    .where('agentId', '=', agentId)
    .where('traceId', '=', anyText(traceIds))
    .select(['traceId', 'spans'])
    .execute();
  return new Map(rows.map(({ traceId, spans }) => [traceId, spans]));
}

/**
 * Stores what a request brought, once: the same spans again change nothing.
 * @returns whether calls are due sooner than they were, so that who waits for them must be told.
 */
export async function storeSpans(em: EntityManager, owner: Owner, batches: NewBatch[]): Promise<{ sooner: boolean }> {
  const { rows } = await sql<{ sooner: boolean }>`
    with sent as (
      select * from unnest(${batches.map(({ traceId }) => traceId)}::text[], ${batches.map(({ digest }) => digest)}::text[],
        ${batches.map(({ sealed }) => sealed)}::bytea[], ${batches.map(({ spans }) => spans)}::int[],
        ${batches.map(({ ended }) => ended)}::boolean[],
        ${batches.map(({ callRefs }) => JSON.stringify(callRefs.map(storableText)))}::jsonb[])
        as s(trace_id, digest, sealed, spans, ended, refs)
    ), added as (
      insert into span_batches (agent_id, workspace_id, trace_id, digest, sealed)
      select ${owner.agentId}, ${owner.workspaceId}, trace_id, digest, sealed from sent
      on conflict do nothing returning trace_id, digest
    ), changed as (
      insert into span_traces as t (agent_id, workspace_id, trace_id, call_refs, ended, spans, due_at)
      select ${owner.agentId}, ${owner.workspaceId}, trace_id,
        array(select jsonb_array_elements_text(refs)), ended, spans,
        now() + case when ended then ${`${SETTLE_SECONDS} seconds`}::interval else ${`${SILENCE_SECONDS} seconds`}::interval end
      from sent join added using (trace_id, digest) order by trace_id
      on conflict (agent_id, trace_id) do update set
        call_refs = array(select distinct unnest(t.call_refs || excluded.call_refs) order by 1 limit 100),
        ended = t.ended or excluded.ended,
        spans = t.spans + excluded.spans,
        last_at = now(),
        due_at = now() + case when t.ended or excluded.ended
          then ${`${SETTLE_SECONDS} seconds`}::interval else ${`${SILENCE_SECONDS} seconds`}::interval end
      returning old.due_at as before, new.due_at as after
    )
    select coalesce(bool_or(before is null or after < before), false) as sooner from changed
  `.execute(db(em));
  return { sooner: rows[0]?.sooner ?? false };
}
