import { sql } from 'kysely';
import { allowanceWait } from '../../domain/limits/plans.ts';
import type { ImportKind, ImportStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json } from '../expressions.ts';
import { readCallAllowance } from '../limits/allowance.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

export interface ImportView {
  id: string;
  agentId: string;
  kind: ImportKind;
  status: ImportStatus;
  attempt: number;
  limit: number | null;
  since: string | null;
  /** Null where its listing is over, or has no parts. */
  readBackTo: string | null;
  listed: number;
  stored: number;
  unchanged: number;
  stillFailed: number;
  analysed: number;
  waiting: number;
  failed: number;
  ongoing: number;
  gone: number;
  waitsFor: string | null;
  reason: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
}

const inScope = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('imports')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(['id', 'agentId', 'kind', 'status', 'attempt', 'callLimit as limit', 'windowFrom as since', 'listed'])
    .select([
      'stored',
      'unchanged',
      'stillFailed',
      'analysed',
      'waiting',
      'failed',
      'ongoing',
      'gone',
      'waitsFor',
      'reason',
    ])
    .select(['createdAt', 'startedAt', 'finishedAt', 'updatedAt'])
    .select((eb) => eb.case().when('listingEnded', '=', false).then(sliceBefore).end().as('readBackTo'));

const sliceBefore = sql<string>`slice->>'before'`;

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
export async function listImports(em: EntityManager, scope: ReadScope, page: ListPage): Promise<ImportView[]> {
  const imports = inScope(em, scope);
  const newest = newestFirst(imports, ['createdAt', 'id'], page);
  return withWaits(em, scope, await newest.execute());
}

export async function findImport(em: EntityManager, scope: ReadScope, importId: string): Promise<ImportView | null> {
  const [view] = await withWaits(em, scope, await inScope(em, scope).where('id', '=', importId).execute());
  return view ?? null;
}

/** What an import kept with a reason: records that could not become calls, and calls that could not be analysed. */
const kept = (em: EntityManager, scope: ReadScope, importId: string) =>
  db(em)
    .selectFrom('import_failures')
    .where('importId', '=', importId)
    .where('resolvedAt', 'is', null)
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .select(['id', 'ref', 'reason'])
    .unionAll((eb) =>
      eb
        .selectFrom('calls')
        .where('importId', '=', importId)
        .where('state', '=', 'failed')
        .where('agentId', '=', anyAgent(scope))
        .where('workspaceId', '=', scope.workspaceId)
        .select(['id', 'providerCallId as ref'])
        .select((of) => of.fn.coalesce('stateReason', of.val('The analysis failed.')).as('reason')),
    )
    .as('kept');

/** In order of their making. */
export async function readFailures(
  em: EntityManager,
  scope: ReadScope,
  importId: string,
  limit: number,
): Promise<{ ref: string; reason: string }[]> {
  const failures = db(em)
    .selectFrom(kept(em, scope, importId))
    .select(['ref', 'reason']);
  return failures.orderBy('id').limit(limit).execute();
}

/** Most frequent first. */
export async function readFailureReasons(
  em: EntityManager,
  scope: ReadScope,
  importId: string,
  limit: number,
): Promise<{ reason: string; calls: number }[]> {
  return db(em)
    .selectFrom(kept(em, scope, importId))
    .select((eb) => ['reason', eb.fn.countAll<number>().as('calls')])
    .groupBy('reason')
    .orderBy('calls', 'desc')
    .orderBy('reason')
    .limit(limit)
    .execute();
}

/** Codes that could not be computed on the analysed calls of an import, each set once. */
export async function readImportGaps(
  em: EntityManager,
  scope: ReadScope,
  importId: string,
): Promise<{ code: string; reason: string }[][]> {
  // Calls of an import share few profiles: those are told apart by their ids, and only then read.
  const profiles = await db(em)
    .selectFrom((eb) =>
      eb
        .selectFrom('calls')
        .where('importId', '=', importId)
        .where('agentId', '=', anyAgent(scope))
        .where('workspaceId', '=', scope.workspaceId)
        .where('analysedAt', 'is not', null)
        .select(['agentId', 'profileId'])
        .distinct()
        .as('c'),
    )
    .leftJoin('computability_profiles as p', (join) =>
      join.onRef('p.id', '=', 'c.profileId').onRef('p.agentId', '=', 'c.agentId'),
    )
    .select((eb) => eb.fn.coalesce('p.notComputable', json<{ code: string; reason: string }[]>([])).as('gaps'))
    .execute();
  return profiles.map(({ gaps }) => gaps);
}

export async function hasImports(em: EntityManager, agentId: string): Promise<boolean> {
  const first = db(em).selectFrom('imports').where('agentId', '=', agentId).select('id').limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

/** By kind, how often personal data was left out of the calls of an import. */
export async function countRedacted(
  em: EntityManager,
  scope: ReadScope,
  agentId: string,
  importId: string,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select r.key as kind, sum(r.value::int)::int as count from calls c
    cross join lateral jsonb_each_text(c.redacted) r
    where c.import_id = ${importId}::uuid and c.redacted is not null
      and c.agent_id = ${agentId} and c.workspace_id = ${scope.workspaceId}
    group by r.key order by r.key`.execute(db(em));
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** Calls of an import of which the agent's reader is still to say the names; 0 where its settings leave no names out. */
export async function countNamesWaiting(
  em: EntityManager,
  scope: ReadScope,
  agentId: string,
  importId: string,
): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from model_readings r
    join calls c on c.id = r.call_id join agents a on a.id = r.agent_id
    where r.agent_id = ${agentId} and r.state in ('waiting', 'read') and c.import_id = ${importId}::uuid
      and c.workspace_id = ${scope.workspaceId} and c.redacted_names is null
      and a.settings -> 'redaction' -> 'kinds' ? 'name'`.execute(db(em));
  return rows[0]?.calls ?? 0;
}
