import { sql } from 'kysely';
import type { UnexplainedCall } from '../../domain/issues/unexplained.ts';
import type { IssueSource } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

/** So many of the newest calls that ended badly without a finding are looked at. */
const UNEXPLAINED_READ = 2_000;

/** Issues that stand on the board of their kind, and those that are folded under one of them. */
const shown = (scope: ReadScope, source: IssueSource) => sql`
  select i.id from issues i left join issues parent on parent.id = i.downstream_of_id
  where ${ofAgents('i.agent_id', scope)} and i.workspace_id = ${scope.workspaceId} and i.source = ${source}
    and i.withdrawn_at is null and i.klass <> 'behaviour' and not i.count_only
    and coalesce(parent.section, i.section) <> 'hidden'`;

const badCalls = (scope: ReadScope) => sql`
  ${ofAgents('c.agent_id', scope)} and c.workspace_id = ${scope.workspaceId} and c.state = 'analysed' and c.ended_badly`;

export interface BoardCounts {
  calls: number;
  endedBadly: number;
  explained: number;
  signals: number;
  callsWithSignals: number;
}

export async function readBoardCounts(em: EntityManager, scope: ReadScope, source: IssueSource): Promise<BoardCounts> {
  const { rows } = await sql<BoardCounts>`
    select count(*)::int as calls, count(*) filter (where c.ended_badly)::int as ended_badly,
      count(*) filter (where cardinality(c.signal_codes) > 0)::int as calls_with_signals,
      coalesce(sum(cardinality(c.signal_codes)), 0)::int as signals,
      (select count(distinct l.call_id)::int from issue_calls l join calls c on c.id = l.call_id
        where l.issue_id in (${shown(scope, source)}) and ${badCalls(scope)}) as explained
    from calls c
    where ${ofAgents('c.agent_id', scope)} and c.workspace_id = ${scope.workspaceId} and c.state = 'analysed'
  `.execute(db(em));
  return rows[0] ?? { calls: 0, endedBadly: 0, explained: 0, signals: 0, callsWithSignals: 0 };
}

/** The newest calls that ended badly and show no issue of the board, with the last refusal and how they ended. */
export async function readUnexplained(
  em: EntityManager,
  scope: ReadScope,
  source: IssueSource,
): Promise<UnexplainedCall[]> {
  const { rows } = await sql<{
    callId: string;
    slug: string | null;
    label: string | null;
    refusal: string | null;
    rule: string | null;
    text: string | null;
  }>`
    with explained as materialized (
      select distinct l.call_id from issue_calls l where l.issue_id in (${shown(scope, source)})
    ), left_over as materialized (
      select c.id, c.agent_id, c.intent_slug, c.sort_at from calls c
      where ${badCalls(scope)} and c.id not in (select call_id from explained)
      order by c.sort_at desc, c.id limit ${UNEXPLAINED_READ}
    )
    select c.id as call_id, c.intent_slug as slug, n.label,
      (select o ->> 'detail' from jsonb_array_elements(a.analysis -> 'observations') o
        where o ->> 'rule' = 'step_blocked' order by (o ->> 'turnIndex')::int desc limit 1) as refusal,
      a.analysis -> 'outcomeReason' ->> 'rule' as rule, a.analysis -> 'outcomeReason' ->> 'text' as text
    from left_over c left join call_analyses a on a.call_id = c.id
    left join intents n on n.agent_id = c.agent_id and n.kind = 'intent' and n.slug = c.intent_slug
    order by c.sort_at desc, c.id`.execute(db(em));
  return rows.map(({ callId, slug, label, refusal, rule, text }) => ({
    callId,
    intent: slug === null ? null : { slug, label: label ?? slug },
    refusal,
    rule: rule === null ? null : { name: rule, text: text ?? rule },
  }));
}

/** Patterns that were seen and are no issue yet, the largest first. */
export async function readUnconfirmed(
  em: EntityManager,
  scope: ReadScope,
  source: IssueSource,
): Promise<{ title: string; place: string; calls: number }[]> {
  const { rows } = await sql<{ title: string; place: string; calls: number }>`
    select i.title, i.place_label as place, i.volume as calls from issues i
    where ${ofAgents('i.agent_id', scope)} and i.workspace_id = ${scope.workspaceId} and i.source = ${source}
      and i.withdrawn_at is null and i.klass <> 'behaviour' and not i.confirmed and not i.count_only and i.volume > 0
    order by i.volume desc, i.severity, i.id limit 10`.execute(db(em));
  return rows;
}
