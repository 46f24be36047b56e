import { sql } from 'kysely';
import type { MetricSums } from '../../domain/metrics/figures.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { isOpenProblem } from '../issues/listed.ts';
import type { Row } from '../tables.ts';

export interface AgentSums {
  agentId: string;
  sums: MetricSums;
  /** Issues that stand on its board. */
  openIssues: number;
}

/** The agents of a workspace with calls in the last days, to the day: from sums that are kept, whatever the number of calls. */
export async function readAgentSums(em: EntityManager, workspaceId: string, days: number): Promise<AgentSums[]> {
  const rows = await db(em)
    .selectFrom('agents as a')
    .innerJoin('metric_counts as m', 'm.agentId', 'a.id')
    .where('a.workspaceId', '=', workspaceId)
    .where('a.readOnly', '=', false)
    .where('m.day', '>', sql<string>`(now() at time zone 'UTC')::date - ${days}::int`)
    .groupBy('m.agentId')
    .having(({ eb, fn }) => eb(fn.sum<number>('m.calls'), '>', 0))
    .select((eb) => {
      const { fn, lit } = eb;
      const of = (outcome: Row<'metric_counts'>['outcome']) =>
        fn.coalesce(
          fn.sum<number>(eb('m.calls', '-', eb.ref('m.aside'))).filterWhere('m.outcome', '=', outcome),
          lit(0),
        );
      return [
        'm.agentId',
        fn.sum<number>('m.calls').as('calls'),
        of('resolved').as('resolved'),
        of('unresolved').as('unresolved'),
        of('abandoned').as('abandoned'),
        of('transferred').as('transferred'),
        of('no_contact').as('noContact'),
        of('').as('unknown'),
        fn.sum<number>('m.withTool').as('withTool'),
        fn.sum<number>('m.toolFailed').as('toolFailed'),
        fn.sum<number>('m.friction').as('friction'),
        fn.sum<number>('m.responseUnread').as('responseUnread'),
        fn.sum<number>('m.aside').as('aside'),
      ];
    })
    .execute();
  const issues = await openIssues(em, workspaceId);
  const callers = { settledCallers: 0, calledAgain: 0, openCallers: 0 };
  return rows.map(({ agentId, ...sums }) => ({
    agentId,
    sums: { ...sums, ...callers },
    openIssues: issues.get(agentId) ?? 0,
  }));
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
