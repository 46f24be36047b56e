import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

const COLUMNS = [
  'id',
  'fromVersion',
  'toVersion',
  'fromCaptured',
  'toCaptured',
  'changes',
  'result',
  'createdAt',
  'updatedAt',
] as const;

/** Between two versions: of more the newest. */
const COMPARISONS_AT_MOST = 50;

export type ComparisonView = Pick<Row<'comparisons'>, (typeof COLUMNS)[number]>;

const within = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('comparisons')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(COLUMNS);

/** Newest version first. */
export function listComparisons(
  em: EntityManager,
  scope: ReadScope,
  { beforeVersion, limit }: { beforeVersion: number | null; limit: number },
): Promise<ComparisonView[]> {
  let page = within(em, scope);
  if (beforeVersion !== null) page = page.where('toVersion', '<', beforeVersion);
  return page
    .orderBy('toVersion', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Of neighbouring versions from one to another, oldest first. */
export async function comparisonsBetween(
  em: EntityManager,
  scope: ReadScope,
  [from, to]: readonly [number, number],
): Promise<string[]> {
  const rows = await within(em, scope)
    .where('fromVersion', '>=', from)
    .where('toVersion', '<=', to)
    .orderBy('toVersion', 'desc')
    .limit(COMPARISONS_AT_MOST)
    .execute();
  return rows.map(({ id }) => id).toReversed();
}

export async function findComparison(em: EntityManager, scope: ReadScope, id: string): Promise<ComparisonView | null> {
  return (await within(em, scope).where('id', '=', id).executeTakeFirst()) ?? null;
}
