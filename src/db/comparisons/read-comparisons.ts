import { sql } from 'kysely';
import type { ComparisonResult } from '../../domain/comparisons/comparison.ts';
import type { VersionChange } from '../../domain/versions/changes.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

export interface ComparisonView {
  id: string;
  fromVersion: number;
  toVersion: number;
  fromCaptured: boolean;
  toCaptured: boolean;
  changes: VersionChange[];
  result: ComparisonResult;
  createdAt: string;
  updatedAt: string;
}

const columns = sql`id, from_version, to_version, from_captured,
  to_captured, changes, result, created_at, updated_at`;

const present = (row: ComparisonView): ComparisonView => ({
  ...row,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
});

/** Newest version first. */
export async function listComparisons(
  em: EntityManager,
  scope: ReadScope,
  page: { beforeVersion: number | null; limit: number },
): Promise<ComparisonView[]> {
  const { rows } = await sql<ComparisonView>`
    select ${columns} from comparisons
    where ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId}
      and (${page.beforeVersion}::int is null or to_version < ${page.beforeVersion}::int)
    order by to_version desc limit ${page.limit + 1}`.execute(db(em));
  return rows.map(present);
}

export async function findComparison(em: EntityManager, scope: ReadScope, id: string): Promise<ComparisonView | null> {
  const { rows } = await sql<ComparisonView>`
    select ${columns} from comparisons
    where ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId} and id = ${id}`.execute(db(em));
  return rows[0] ? present(rows[0]) : null;
}
