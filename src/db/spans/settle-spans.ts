import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, anyText, fromNow, now } from '../expressions.ts';

export interface DueTrace {
  traceId: string;
  /** Spans that were there when it was read: a change says that more came in meanwhile. */
  spans: number;
  /** Seconds since the last of its spans came in. */
  silentSeconds: number;
}

/** Traces of which calls are to be made now, oldest first, with those that share the name of a call with them. */
export async function dueTraces(em: EntityManager, agentId: string, limit: number): Promise<DueTrace[]> {
  const { rows } = await sql<DueTrace>`
    with due as (
      select trace_id, call_refs from span_traces
      where agent_id = ${agentId} and due_at <= now() order by due_at limit ${limit}
    )
    select t.trace_id as "traceId", t.spans,
      floor(extract(epoch from now() - t.last_at))::int as "silentSeconds"
    from span_traces t
    where t.agent_id = ${agentId} and (t.trace_id in (select trace_id from due)
      or t.call_refs && array(select distinct unnest(call_refs) from due))
    order by t.trace_id limit ${limit * 4}
  `.execute(db(em));
  return rows;
}

/** What was stored of traces, as it came in. */
export function readBatches(em: EntityManager, agentId: string, traceIds: string[]): Promise<{ sealed: Uint8Array }[]> {
  return db(em)
    .selectFrom('span_batches')
    .where('agentId', '=', agentId)
    .where('traceId', '=', anyText(traceIds))
    .select('sealed')
    .orderBy('receivedAt')
    .orderBy('digest')
    .execute();
}

/** Notes that calls were made of traces; one that got more spans meanwhile stays due. */
export async function noteSettled(
  em: EntityManager,
  agentId: string,
  settled: { traceId: string; spans: number; againInSeconds: number | null }[],
): Promise<void> {
  for (const { traceId, spans, againInSeconds } of settled) {
    await db(em)
      .updateTable('span_traces')
      .where('agentId', '=', agentId)
      .where('traceId', '=', traceId)
      .where('spans', '=', spans)
      .set({ dueAt: againInSeconds === null ? null : fromNow(againInSeconds, 'seconds') })
      .execute();
  }
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
