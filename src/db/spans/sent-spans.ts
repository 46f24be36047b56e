import { sql } from 'kysely';
import type { LeftCount } from '../../domain/spans/left-spans.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface SentSpans {
  connectionId: string;
  traces: number;
  spans: number;
  /** Traces that wait for their call to be over. */
  waiting: number;
  /** When calls are made next; null where nothing waits. */
  nextAt: string | null;
  lastAt: string;
}

/** What is kept of the spans that agents of connections sent, a connection a row. */
export async function countSentSpans(em: EntityManager, connectionIds: readonly string[]): Promise<SentSpans[]> {
  const { rows } = await sql<SentSpans>`
    select a.connection_id as "connectionId", count(*)::int as traces, sum(t.spans)::int as spans,
      count(t.due_at)::int as waiting, min(t.due_at) as "nextAt", max(t.last_at) as "lastAt"
    from agents a join span_traces t on t.agent_id = a.id
    where a.connection_id = any(${[...connectionIds]}::uuid[])
    group by a.connection_id
  `.execute(db(em));
  return rows;
}

export interface LeftOfConnection extends LeftCount {
  connectionId: string;
  traces: number;
  lastAt: string;
}

const TOLD_AT_MOST = 20;

/** Those of which no call was made, by connection, reason and library, the most first. */
export async function leftSpans(em: EntityManager, connectionIds: readonly string[]): Promise<LeftOfConnection[]> {
  const { rows } = await sql<LeftOfConnection>`
    with counted as (
      select a.connection_id, l.reason, l.library, sum(l.spans)::int as spans,
        count(distinct (t.agent_id, t.trace_id))::int as traces, max(t.last_at) as last_at
      from agents a join span_traces t on t.agent_id = a.id,
        jsonb_to_recordset(t.left_spans) as l(reason text, library text, spans int)
      where a.connection_id = any(${[...connectionIds]}::uuid[])
      group by a.connection_id, l.reason, l.library
    ), ranked as (
      select *, row_number() over (partition by connection_id order by spans desc, reason, library) as nth from counted
    )
    select connection_id as "connectionId", reason, library, spans, traces, last_at as "lastAt"
    from ranked where nth <= ${TOLD_AT_MOST} order by connection_id, nth
  `.execute(db(em));
  return rows;
}
