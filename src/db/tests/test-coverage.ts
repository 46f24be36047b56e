import { sql } from 'kysely';
import type { Coverable, TestReach } from '../../domain/tests/coverage.ts';
import type { IssueSource } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { listIntents } from '../intents/read-intents.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

/** Tests that are not archived, oldest first, with what their source calls reached. */
export async function readTestReach(em: EntityManager, scope: ReadScope): Promise<TestReach[]> {
  const { rows } = await sql<TestReach>`
    select t.id, t.generated_from,
      jsonb_build_object('criteria', r.spec -> 'criteria', 'fixtures', r.spec -> 'fixtures') as spec,
      case when c.id is null then '{}'::text[] else array_remove(c.request_intents || c.intent_slug, null) end as intents,
      coalesce(v.places, '[]') as places,
      array(select i.id from issues i join issue_calls e on e.issue_id = i.id and e.call_id = t.source_call_id
        where i.agent_id = t.agent_id and t.source_call_id is not null) as issue_ids
    from tests t join test_revisions r on r.test_id = t.id and r.revision = t.revision
      left join calls c on c.id = t.source_call_id and c.agent_id = t.agent_id
      left join visit_sets v on v.id = c.visit_set_id and v.agent_id = c.agent_id
    where t.agent_id = ${anyAgent(scope)} and t.archived_at is null
    order by t.created_at, t.id`.execute(db(em));
  return rows;
}

const INTENTS_AT_MOST = 500;
const ISSUES_AT_MOST = 500;

/** What callers want. */
export async function coverableIntents(em: EntityManager, scope: ReadScope): Promise<Coverable[]> {
  const rows = await listIntents(em, scope, 'intent', { after: null, limit: INTENTS_AT_MOST });
  return rows.map(({ slug, label, calls, aliases }) => ({ kind: 'intent', id: slug, label, calls, aliases }));
}

export interface OpenIssue {
  id: string;
  code: string;
  title: string;
  calls: number;
}

/** Issues of the board that are open, highest priority first. */
export function openIssues(em: EntityManager, scope: ReadScope, source: IssueSource): Promise<OpenIssue[]> {
  return db(em)
    .selectFrom('issues')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .where('section', '<>', 'hidden')
    .where('withdrawnAt', 'is', null)
    .where('klass', '<>', 'behaviour')
    .where('source', '=', source)
    .where('status', '<>', 'resolved')
    .select(['id', 'code', 'title', 'volume as calls'])
    .orderBy('boardRank')
    .orderBy('id')
    .limit(ISSUES_AT_MOST)
    .execute();
}

export async function coverableIssues(em: EntityManager, scope: ReadScope, source: IssueSource): Promise<Coverable[]> {
  const rows = await openIssues(em, scope, source);
  return rows.map(({ id, title, calls }) => ({ kind: 'issue', id, label: title, calls, aliases: [] }));
}
