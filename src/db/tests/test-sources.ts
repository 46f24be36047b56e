import type { ExpressionBuilder } from 'kysely';
import type { Place } from '../../domain/signals/signal.ts';
import type { Candidate } from '../../domain/tests/representative.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, json } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Tables } from '../tables.ts';

const CANDIDATES_AT_MOST = 50;
const EVIDENCE_AT_MOST = 200;

/** The newest calls with words behind an issue, an intent (under any of its slugs), a tool (under any of its ids), or all. */
export function candidatesFor(em: EntityManager, scope: ReadScope, of: Wanted): Promise<Candidate[]> {
  return db(em)
    .selectFrom('calls as c')
    .where('c.agentId', '=', anyAgent(scope))
    .where('c.workspaceId', '=', scope.workspaceId)
    .where('c.state', '=', 'analysed')
    .where('c.callerSpoke', '=', true)
    .where((eb) => isWanted(eb, of))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('transcripts as t').whereRef('t.callId', '=', 'c.id').select('t.callId')),
    )
    .select(['c.id', 'c.outcome', 'c.callerTurns'])
    .$narrowType<Candidate>()
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(CANDIDATES_AT_MOST)
    .execute();
}

type Wanted = { issueId: string } | { slugs: readonly string[] } | { toolIds: readonly string[] } | 'any';

function isWanted(eb: ExpressionBuilder<Tables & { c: Tables['calls'] }, 'c'>, of: Wanted) {
  if (of === 'any') return eb.lit(true);
  if ('issueId' in of) {
    // From the issue's own list: walking all calls for those of a rare issue would take long.
    const own = eb.selectFrom('issue_calls as i').where('i.issueId', '=', of.issueId).where('i.own', '=', true);
    const newest = own.orderBy('i.sortAt', 'desc').orderBy('i.callId', 'desc').limit(EVIDENCE_AT_MOST);
    return eb('c.id', 'in', newest.select('i.callId'));
  }
  if ('slugs' in of) return eb('c.intentSlug', '=', anyText(of.slugs));
  const reached = eb
    .selectFrom('visit_sets as v')
    .whereRef('v.id', '=', 'c.visitSetId')
    .where((visits) =>
      visits.or(
        of.toolIds.map((id) => visits('v.places', '@>', json([{ kind: 'tool', id }]).$castTo<Place[] | null>())),
      ),
    );
  return eb.exists(reached.select('v.id'));
}

/** What tests that are not archived were generated from. */
export async function generatedSources(em: EntityManager, scope: ReadScope): Promise<Set<string>> {
  const rows = await db(em)
    .selectFrom('tests')
    .where('agentId', '=', anyAgent(scope))
    .where('generatedFrom', 'is not', null)
    .where('archivedAt', 'is', null)
    .select('generatedFrom')
    .$narrowType<{ generatedFrom: string }>()
    .distinct()
    .execute();
  return new Set(rows.map(({ generatedFrom }) => generatedFrom));
}
