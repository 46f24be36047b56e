import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { rebuildEvidence } from '../evidence/rebuild-evidence.ts';
import { anyId } from '../expressions.ts';
import { isHistoryOnItsWay } from '../imports/history-on-its-way.ts';

/**
 * Takes back, while an import brings history, the issues that only a part of its calls made: causes that were split off
 * and that nobody was told of. They are split off again where all calls so far say so. @returns their ids by key
 */
export async function takeBackSplits(em: EntityManager, agentId: string): Promise<Map<string, string>> {
  const taken = await db(em)
    .deleteFrom('issues')
    .where('agentId', '=', agentId)
    .where('splitCause', '<>', '')
    .where('listedAt', 'is', null)
    .where('status', '=', 'discovered')
    .where('ownerId', 'is', null)
    .where('snoozedAt', 'is', null)
    .where(({ ref }) => isHistoryOnItsWay(ref('issues.agentId')))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('issue_comments as c').whereRef('c.issueId', '=', 'issues.id').select('c.id'))),
    )
    .returning(['id', 'key', 'code', 'placeKind', 'placeId', 'mergedIntoId'])
    .execute();
  if (taken.length === 0) return new Map();
  const ids = taken.map(({ id }) => id);
  for (const column of ['mergedIntoId', 'downstreamOfId'] as const) {
    await db(em)
      .updateTable('issues')
      .where('agentId', '=', agentId)
      .where(column, '=', anyId(ids))
      .set({ [column]: null })
      .execute();
  }
  const bases = await db(em)
    .selectFrom('issues')
    .where('agentId', '=', agentId)
    .where('source', '=', 'detector')
    .where('splitCause', '=', '')
    .where(({ eb, or }) => or(taken.map(({ code, placeKind, placeId }) => eb.and({ code, placeKind, placeId }))))
    .select(['id', 'mergedIntoId'])
    .execute();
  const touched = [...taken, ...bases].flatMap(({ id, mergedIntoId }) => [id, mergedIntoId ?? id]);
  await rebuildEvidence(em, agentId, [...new Set(touched)].sort());
  return new Map(taken.map(({ id, key }) => [key, id]));
}
