import { type RawBuilder, sql } from 'kysely';
import type { Candidate } from '../../domain/tests/generate.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

const CANDIDATES_AT_MOST = 50;
const EVIDENCE_AT_MOST = 200;

/** The newest calls with words behind an issue, an intent (under any of its slugs), a tool (under any of its ids), or all. */
export async function candidatesFor(
  em: EntityManager,
  scope: ReadScope,
  of: { issueId: string } | { slugs: readonly string[] } | { toolIds: readonly string[] } | 'any',
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select c.id, c.outcome, c.caller_turns as "callerTurns" from calls c
    where ${ofAgents('c.agent_id', scope)} and c.workspace_id = ${scope.workspaceId} and c.state = 'analysed'
      and c.caller_spoke and ${conditionOf(of)} and exists (select 1 from transcripts t where t.call_id = c.id)
    order by c.sort_at desc, c.id desc limit ${CANDIDATES_AT_MOST}`.execute(em.getKysely());
  return rows;
}

function conditionOf(of: Parameters<typeof candidatesFor>[2]): RawBuilder<boolean> {
  if (of === 'any') return sql<boolean>`true`;
  if ('issueId' in of) {
    // From the issue's own list: walking all calls for those of a rare issue would take long.
    return sql<boolean>`c.id in (select i.call_id from issue_calls i where i.issue_id = ${of.issueId} and i.own
      order by i.sort_at desc, i.call_id desc limit ${EVIDENCE_AT_MOST})`;
  }
  if ('slugs' in of) return sql<boolean>`c.intent_slug = any(${[...of.slugs]}::text[])`;
  const places = of.toolIds.map((id) => sql`v.places @> ${JSON.stringify([{ kind: 'tool', id }])}::jsonb`);
  return sql<boolean>`exists (select 1 from visit_sets v where v.id = c.visit_set_id and (${sql.join(places, sql` or `)}))`;
}

/** What tests that are not archived were generated from. */
export async function generatedSources(em: EntityManager, scope: ReadScope): Promise<Set<string>> {
  const { rows } = await sql<{ from: string }>`
    select distinct generated_from as "from" from tests
    where ${ofAgents('agent_id', scope)} and generated_from is not null and archived_at is null`.execute(
    em.getKysely(),
  );
  return new Set(rows.map(({ from }) => from));
}
