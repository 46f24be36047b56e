import { sql } from 'kysely';
import { allowanceWait } from '../../domain/limits/plans.ts';
import type { ImportKind, ImportStatus } from '../../domain/vocabulary.ts';
import { toIso, toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { readCallAllowance } from './allowance.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

export interface ImportView {
  id: string;
  agentId: string;
  kind: ImportKind;
  status: ImportStatus;
  attempt: number;
  limit: number | null;
  since: string | null;
  listed: number;
  stored: number;
  unchanged: number;
  analysed: number;
  waiting: number;
  failed: number;
  waitsFor: string | null;
  reason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
}

const columns = sql`
  id, agent_id as "agentId", kind, status, attempt, call_limit as "limit", window_from as since, listed, stored,
  unchanged, analysed, waiting, failed, waits_for as "waitsFor", reason, created_at as "createdAt",
  started_at as "startedAt", finished_at as "finishedAt", updated_at as "updatedAt"
`;

const within = (scope: ReadScope) => sql`
  ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId}
`;

const toView = (row: ImportView): ImportView => ({
  ...row,
  since: toIsoOrNull(row.since),
  createdAt: toIso(row.createdAt),
  startedAt: toIsoOrNull(row.startedAt),
  finishedAt: toIsoOrNull(row.finishedAt),
  updatedAt: toIso(row.updatedAt),
});

/** An import that has ended waits for nothing; calls that it stored may. */
async function withWaits(em: EntityManager, scope: ReadScope, rows: ImportView[]): Promise<ImportView[]> {
  const isHeld = ({ finishedAt, waiting }: ImportView) => finishedAt !== null && waiting > 0;
  if (!rows.some(isHeld)) return rows;
  const { limit, used, period } = await readCallAllowance(em, scope.workspaceId);
  return rows.map((row) => {
    if (!isHeld(row)) return row;
    const isCovered = limit === null || used < limit;
    const turn = `waits for its turn to be analysed: ${row.waiting} ${row.waiting === 1 ? 'call' : 'calls'}`;
    return { ...row, waitsFor: isCovered ? turn : allowanceWait(row.waiting, period.endsAt) };
  });
}

/** Newest first. */
export async function listImports(
  em: EntityManager,
  scope: ReadScope,
  page: { after: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<ImportView[]> {
  const after = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<ImportView>`
    select ${columns} from imports where ${within(scope)} ${after}
    order by created_at desc, id desc limit ${page.limit + 1}
  `.execute(em.getKysely());
  return withWaits(em, scope, rows.map(toView));
}

export async function findImport(em: EntityManager, scope: ReadScope, importId: string): Promise<ImportView | null> {
  const { rows } = await sql<ImportView>`
    select ${columns} from imports where id = ${importId} and ${within(scope)}
  `.execute(em.getKysely());
  const [view] = await withWaits(em, scope, rows.map(toView));
  return view ?? null;
}

/** What an import kept with a reason: records that could not become calls, and calls that could not be analysed. */
const kept = (scope: ReadScope, importId: string) => sql`
  select id, ref, reason from import_failures where import_id = ${importId} and resolved_at is null and ${within(scope)}
  union all
  select id, provider_call_id, coalesce(state_reason, 'The analysis failed.') from calls
  where import_id = ${importId} and state = 'failed' and ${within(scope)}
`;

/** In order of their making. */
export async function readFailures(
  em: EntityManager,
  scope: ReadScope,
  importId: string,
  limit: number,
): Promise<{ ref: string; reason: string }[]> {
  const { rows } = await sql<{ ref: string; reason: string }>`
    select ref, reason from (${kept(scope, importId)}) as kept order by id limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Most frequent first. */
export async function readFailureReasons(
  em: EntityManager,
  scope: ReadScope,
  importId: string,
  limit: number,
): Promise<{ reason: string; calls: number }[]> {
  const { rows } = await sql<{ reason: string; calls: number }>`
    select reason, count(*)::int as calls from (${kept(scope, importId)}) as kept
    group by reason order by count(*) desc, reason limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export async function hasImports(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from imports where agent_id = ${agentId} limit 1`.execute(em.getKysely());
  return rows.length > 0;
}
