import { sql } from 'kysely';
import type { LeftCount } from '../../domain/spans/left-spans.ts';
import { SETTLE_SECONDS, SILENCE_SECONDS } from '../../domain/spans/waits.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { executePlanned } from '../planned.ts';

/** Spans of one trace as one request brought them. */
export interface NewBatch {
  traceId: string;
  digest: string;
  sealed: Buffer;
  spans: number;
  /** Of the spans before they were compressed. */
  bytes: number;
  callRefs: string[];
  /** A span that stands for a whole call is among them. */
  ended: boolean;
  /** None of them names a call, though their library does. */
  loose: boolean;
  /** Some of them hold what was said or done. */
  worded: boolean;
  /** Those that hold nothing. */
  left: LeftCount[];
  /** When the first of them began and the last ended. Milliseconds since 1970. */
  beginMs: number;
  endMs: number;
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Most that is kept of one trace, whose spans are read together. */
export interface TraceBounds {
  spans: number;
  bytes: number;
}

/** Counts that are kept of a trace before calls are made of it. */
const LEFT_KEPT = 50;
/** Clocks of senders may say anything; the database takes what is a time of ours. */
const LATEST_MS = Date.UTC(9999, 0);
const clockTime = (ms: number) => new Date(Math.min(Math.max(ms, 0), LATEST_MS)).toISOString();

export const leftJson = (left: readonly LeftCount[]): string =>
  JSON.stringify(left.map(({ library, ...count }) => ({ ...count, library: storableText(library) })));

export interface StoredSpans {
  /** Whether calls are due sooner than they were, so that who waits for them must be told. */
  sooner: boolean;
  /** Traces that would hold more than they may, of which nothing was stored. */
  full: string[];
}

/**
 * Stores what a request brought, once: the same spans again change nothing. The bound of a trace holds whoever else
 * stores spans of it at the same time; twins of one moment count twice.
 */
export async function storeSpans(
  em: EntityManager,
  owner: Owner,
  batches: NewBatch[],
  most: TraceBounds,
): Promise<StoredSpans> {
  const { rows } = await executePlanned<StoredSpans>(
    em,
    sql`
    with sent as (
      select * from unnest(${batches.map(({ traceId }) => traceId)}::text[], ${batches.map(({ digest }) => digest)}::text[],
        ${batches.map(({ sealed }) => sealed)}::bytea[], ${batches.map(({ spans }) => spans)}::int[],
        ${batches.map(({ bytes }) => bytes)}::int[], ${batches.map(({ ended }) => ended)}::boolean[],
        ${batches.map(({ callRefs }) => JSON.stringify(callRefs.map(storableText)))}::jsonb[],
        ${batches.map(({ loose }) => loose)}::boolean[], ${batches.map(({ worded }) => worded)}::boolean[],
        ${batches.map(({ left }) => leftJson(left))}::jsonb[],
        ${batches.map(({ beginMs }) => clockTime(beginMs))}::timestamptz[], ${batches.map(({ endMs }) => clockTime(endMs))}::timestamptz[])
        as s(trace_id, digest, sealed, spans, bytes, ended, refs, loose, worded, left_spans, begin_at, end_at)
    ), fresh as (
      select * from sent where not exists (select from span_batches b
        where b.agent_id = ${owner.agentId} and b.trace_id = sent.trace_id and b.digest = sent.digest)
    ), before as (
      select t.trace_id, t.due_at from span_traces t where t.agent_id = ${owner.agentId}
        and t.trace_id in (select trace_id from fresh)
    ), changed as (
      insert into span_traces as t (agent_id, workspace_id, trace_id, call_refs, ended, loose, worded, left_spans,
        begin_at, end_at, spans, bytes, due_at)
      select ${owner.agentId}, ${owner.workspaceId}, trace_id,
        array(select jsonb_array_elements_text(refs)), ended, loose, worded,
        case when worded then '[]'::jsonb else left_spans end, begin_at, end_at, spans, bytes,
        now() + case when ended then ${`${SETTLE_SECONDS} seconds`}::interval else ${`${SILENCE_SECONDS} seconds`}::interval end
      from fresh where spans <= ${most.spans} and bytes <= ${most.bytes} order by trace_id
      on conflict (agent_id, trace_id) do update set
        call_refs = array(select distinct unnest(t.call_refs || excluded.call_refs) order by 1 limit 100),
        ended = t.ended or excluded.ended,
        loose = t.loose and excluded.loose,
        worded = t.worded or excluded.worded,
        left_spans = case when t.worded or excluded.worded then '[]'::jsonb
          when jsonb_array_length(t.left_spans) >= ${LEFT_KEPT} then t.left_spans
          else t.left_spans || excluded.left_spans end,
        begin_at = least(t.begin_at, excluded.begin_at),
        end_at = greatest(t.end_at, excluded.end_at),
        spans = t.spans + excluded.spans,
        bytes = t.bytes + excluded.bytes,
        last_at = now(),
        due_at = now() + case when t.ended or excluded.ended
          then ${`${SETTLE_SECONDS} seconds`}::interval else ${`${SILENCE_SECONDS} seconds`}::interval end
      where t.spans + excluded.spans <= ${most.spans} and t.bytes + excluded.bytes <= ${most.bytes}
      returning t.trace_id, t.due_at
    ), added as (
      insert into span_batches (agent_id, workspace_id, trace_id, digest, sealed)
      select ${owner.agentId}, ${owner.workspaceId}, trace_id, digest, sealed from fresh join changed using (trace_id)
      on conflict do nothing
    )
    select coalesce((select bool_or(before.due_at is null or changed.due_at < before.due_at)
        from changed left join before using (trace_id)), false) as sooner,
      array(select trace_id from fresh except select trace_id from changed) as full
  `,
  );
  return rows[0] ?? { sooner: false, full: [] };
}
