import { sql } from 'kysely';
import type { LeftCount } from '../../domain/spans/left-spans.ts';
import { AROUND_A_CALL_MS } from '../../domain/spans/split-calls.ts';
import { SETTLE_SECONDS } from '../../domain/spans/waits.ts';
import { storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, anyText, now } from '../expressions.ts';
import { leftJson, type TraceBounds } from './store-spans.ts';

export interface DueTrace {
  traceId: string;
  /** Spans that were there when it was read: a change says that more came in meanwhile. */
  spans: number;
  /** Seconds since the last of its spans came in. */
  silentSeconds: number;
  /** Whether it is among as many as may be read at once. */
  fits: boolean;
  /** None of its spans names a call. */
  loose: boolean;
  /** Names of calls that its spans give, or, where they give none, of those that it went with. */
  refs: string[];
  /** It lies in the time of those, and shares no name with them. */
  isBeside: boolean;
}

export interface DueTraces {
  /** Those that fit, those that are due first, and what is due and does not fit. */
  traces: DueTrace[];
  /** Whether a trace of theirs does not fit. */
  isCut: boolean;
}

/** What a library traces by itself is short, and is no longer written when its call is made. */
const LOOSE_SPANS_MAX = 200;
const QUIET = `${SETTLE_SECONDS - 10} seconds`;
const AROUND = `${AROUND_A_CALL_MS} milliseconds`;
const LONGEST_CALL_HOURS = 6;

/**
 * Traces of which calls are to be made now, oldest first, with those that name no call and lie in their time, every call in
 * whose time such a trace lies, and all that share the name of a call with any of these. The first fits always, the others
 * as long as all together hold no more than `most`.
 */
export async function dueTraces(
  em: EntityManager,
  agentId: string,
  limit: number,
  most: TraceBounds,
): Promise<DueTraces> {
  const inTheTime = sql`t.end_at >= due.begin_at - ${AROUND}::interval and t.begin_at
    between due.begin_at - ${`${LONGEST_CALL_HOURS} hours`}::interval and due.end_at + ${AROUND}::interval`;
  const { rows } = await sql<DueTrace & { isCut: boolean }>`
    with due as (
      select trace_id, call_refs, loose, begin_at, end_at from span_traces
      where agent_id = ${agentId} and due_at <= now() order by due_at limit ${limit}
    ), loose as (
      select trace_id, begin_at, end_at from due where loose
      union select t.trace_id, t.begin_at, t.end_at from due join span_traces t
        on t.agent_id = ${agentId} and t.loose and ${inTheTime}
      where not due.loose and t.spans <= ${LOOSE_SPANS_MAX} and t.last_at <= now() - ${QUIET}::interval
    ), beside as (
      select trace_id from loose
      union select t.trace_id from loose as due join span_traces t on t.agent_id = ${agentId} and not t.loose and ${inTheTime}
    ), named as (
      select array(select distinct unnest(call_refs) from due) as refs,
        array(select distinct unnest(t.call_refs) from beside join span_traces t
          on t.agent_id = ${agentId} and t.trace_id = beside.trace_id) as refs_beside
    ), together as (
      select t.trace_id, t.spans, t.last_at, t.loose, t.call_refs, coalesce(t.due_at <= now(), false) as is_due,
        not (coalesce(t.due_at <= now(), false) or t.call_refs && named.refs) as is_beside,
        row_number() over before = 1
          or (sum(t.spans) over before <= ${most.spans} and sum(t.bytes::bigint) over before <= ${most.bytes}) as fits
      from span_traces t, named
      where t.agent_id = ${agentId} and (t.trace_id in (select trace_id from due union all select trace_id from beside)
        or t.call_refs && named.refs or t.call_refs && named.refs_beside)
      window before as (order by coalesce(t.due_at <= now(), false) desc, t.trace_id)
    )
    select trace_id as "traceId", spans, fits, loose, call_refs as refs, is_beside as "isBeside",
      floor(extract(epoch from now() - last_at))::int as "silentSeconds",
      exists (select from together where not fits) as "isCut"
    from together where fits or is_due order by is_due desc, trace_id
  `.execute(db(em));
  return { traces: rows, isCut: rows.some(({ isCut }) => isCut) };
}

/** What was stored of traces, as it came in. */
export function readBatches(
  em: EntityManager,
  agentId: string,
  traceIds: string[],
): Promise<{ traceId: string; digest: string; sealed: Uint8Array }[]> {
  return db(em)
    .selectFrom('span_batches')
    .where('agentId', '=', agentId)
    .where('traceId', '=', anyText(traceIds))
    .select(['traceId', 'digest', 'sealed'])
    .orderBy('receivedAt')
    .orderBy('digest')
    .execute();
}

export interface SettledTrace {
  traceId: string;
  spans: number;
  /** Null: not before more comes in. */
  againInSeconds: number | null;
  /** Of one that names no call: those that it went with. One that is a call of its own goes with no other from then on. */
  refs: string[];
  /** Null: it is not known yet what becomes of its spans. */
  left: LeftCount[] | null;
}

/** Notes that calls were made of traces; one that got more spans meanwhile stays due. */
export async function noteSettled(em: EntityManager, agentId: string, settled: SettledTrace[]): Promise<void> {
  await sql`
    update span_traces t set due_at = now() + s.again * interval '1 second',
      left_spans = coalesce(s.left_spans, t.left_spans),
      loose = t.loose and not s.refs @> to_jsonb(t.trace_id),
      call_refs = case when t.loose then array(select jsonb_array_elements_text(s.refs) order by 1 limit 100) else t.call_refs end
    from unnest(${settled.map(({ traceId }) => traceId)}::text[], ${settled.map(({ spans }) => spans)}::int[],
      ${settled.map(({ againInSeconds }) => againInSeconds)}::int[],
      ${settled.map(({ refs }) => JSON.stringify(refs.map(storableText)))}::jsonb[],
      ${settled.map(({ left }) => (left === null ? null : leftJson(left)))}::jsonb[])
      as s(trace_id, spans, again, refs, left_spans)
    where t.agent_id = ${agentId} and t.trace_id = s.trace_id and t.spans = s.spans
  `.execute(db(em));
}

export interface SpansAhead {
  /** The database's time. */
  now: string;
  /** When calls are to be made next; null where nothing waits. */
  nextAt: string | null;
  /** Traces that wait, and those among them whose call has ended. */
  open: number;
  ended: number;
}

export async function spansAhead(em: EntityManager, agentId: string): Promise<SpansAhead> {
  return db(em)
    .selectFrom('span_traces')
    .where('agentId', '=', agentId)
    .where('dueAt', 'is not', null)
    .select((eb) => [
      now.as('now'),
      eb.fn.min('dueAt').as('nextAt'),
      eb.fn.countAll<number>().as('open'),
      eb.fn.countAll<number>().filterWhere('ended', '=', true).as('ended'),
    ])
    .executeTakeFirstOrThrow();
}

/** Spans are kept for late ones to join them; what they tell stays with the call. */
export async function dropOldSpans(em: EntityManager, agentId: string, afterDays: number): Promise<void> {
  const old = db(em)
    .deleteFrom('span_traces')
    .where('agentId', '=', agentId)
    .where('dueAt', 'is', null)
    .where('lastAt', '<', ago(afterDays, 'days'))
    .returning('traceId');
  await db(em)
    .with('old', () => old)
    .deleteFrom('span_batches')
    .where('agentId', '=', agentId)
    .where('traceId', 'in', (eb) => eb.selectFrom('old').select('traceId'))
    .execute();
}
