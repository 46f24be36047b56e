import { sql } from 'kysely';
import type { MetricSums } from '../../domain/metrics/figures.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { isOpenProblem } from '../issues/listed.ts';

export interface AgentSums {
  agentId: string;
  sums: MetricSums;
  /** Issues that stand on its board. */
  openIssues: number;
}

/** The agents of a workspace with calls in the last days, to the day: from sums that are kept, whatever the number of calls. */
export async function readAgentSums(em: EntityManager, workspaceId: string, days: number): Promise<AgentSums[]> {
  const of = (outcome: string) => sql`coalesce(sum(m.calls) filter (where m.outcome = ${outcome}), 0)::int`;
  const { rows } = await sql<MetricSums & { agentId: string }>`
    select m.agent_id, sum(m.calls)::int as calls, ${of('resolved')} as resolved, ${of('unresolved')} as unresolved,
      ${of('abandoned')} as abandoned, ${of('transferred')} as transferred, ${of('no_contact')} as no_contact,
      ${of('')} as "unknown", sum(m.with_tool)::int as with_tool, sum(m.tool_failed)::int as tool_failed,
      sum(m.friction)::int as friction, 0 as settled_callers, 0 as called_again, 0 as open_callers,
      sum(m.response_unread)::int as response_unread
    from agents a join metric_counts m on m.agent_id = a.id
    where a.workspace_id = ${workspaceId} and not a.read_only
      and m.day > (now() at time zone 'UTC')::date - ${days}::int
    group by 1 having sum(m.calls) > 0`.execute(db(em));
  const issues = await openIssues(em, workspaceId);
  return rows.map(({ agentId, ...sums }) => ({ agentId, sums, openIssues: issues.get(agentId) ?? 0 }));
}

async function openIssues(em: EntityManager, workspaceId: string): Promise<Map<string, number>> {
  const rows = await db(em)
    .selectFrom('issues')
    .innerJoin('agents', 'agents.id', 'issues.agentId')
    .where('agents.workspaceId', '=', workspaceId)
    .whereRef('issues.source', '=', 'agents.boardSource')
    .where(isOpenProblem)
    .groupBy('issues.agentId')
    .select(({ fn }) => ['issues.agentId', fn.countAll<number>().as('issues')])
    .execute();
  return new Map(rows.map(({ agentId, issues }) => [agentId, issues]));
}
