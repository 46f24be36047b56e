import { sql } from 'kysely';
import type { VersionTotals } from '../../domain/issues/by-version.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { isHistoryOnItsWay } from '../imports/history-on-its-way.ts';
import { countListed, isOpenProblem } from './listed.ts';

/** Whether the agent's issues say what its stored evidence says. */
export async function isGrouped(em: EntityManager, agentId: string): Promise<boolean> {
  const grouped = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .whereRef('evidenceRevision', '=', 'groupedRevision')
    .select('id')
    .executeTakeFirst();
  return grouped !== undefined;
}

/** Notes that the agent's issues say what its evidence says. `openIssueCount` counts the rows of the default list. */
export async function noteGrouped(em: EntityManager, agentId: string, totals: VersionTotals): Promise<void> {
  await db(em)
    .updateTable('agents')
    .from(countListed(agentId).as('open'))
    .where('agents.id', '=', agentId)
    .where((eb) =>
      eb.or([
        eb('agents.openIssueCount', 'is distinct from', eb.ref('open.issues')),
        eb('agents.groupedRevision', 'is distinct from', eb.ref('agents.evidenceRevision')),
        eb('agents.versionTotals', 'is distinct from', json(totals)),
      ]),
    )
    .set((eb) => ({
      openIssueCount: eb.ref('open.issues'),
      groupedRevision: eb.ref('agents.evidenceRevision'),
      versionTotals: json(totals),
      updatedAt: now,
    }))
    .execute();
}

/** So long after its confirmation a row is told of though history still comes in. */
const HELD_BACK = sql`interval '1 hour'`;

/**
 * Marks the issues that stand on the board for the first time, each once, whatever becomes of it. While an import brings
 * history nothing is marked, because a later page may fold or withdraw it, but for what has stood there for an hour.
 * @returns their ids in order
 */
export async function markListed(em: EntityManager, agentId: string): Promise<string[]> {
  const marked = await db(em)
    .updateTable('issues')
    .from('agents as a')
    .where('issues.agentId', '=', agentId)
    .whereRef('a.id', '=', 'issues.agentId')
    .whereRef('issues.source', '=', 'a.boardSource')
    .where('issues.listedAt', 'is', null)
    .where(isOpenProblem)
    .where(({ eb, or, not }) =>
      or([
        not(isHistoryOnItsWay(eb.ref('issues.agentId'))),
        eb('issues.confirmedAt', '<', sql<string>`now() - ${HELD_BACK}`),
      ]),
    )
    .set({ listedAt: now })
    .returning('issues.id')
    .execute();
  return marked.map(({ id }) => id).sort();
}
