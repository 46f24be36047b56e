import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { everyCall } from '../evidence/every-call.ts';
import { now } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

export interface VersionView {
  version: number;
  configCaptured: boolean;
  configHash: string | null;
  detectedAt: string;
  calls: number;
  /** Calls with contact of which it is known how they ended. */
  contacts: number;
  resolved: number;
  transferred: number;
}

/** Every version with captured configuration and every version that an analysed call ran on, newest first. */
export async function listVersions(
  em: EntityManager,
  scope: ReadScope,
  { beforeVersion, limit }: { beforeVersion: number | null; limit: number },
): Promise<VersionView[]> {
  let page = versions(em, scope);
  if (beforeVersion !== null) page = page.where('version', '<', beforeVersion);
  return page
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute();
}

export async function findVersion(em: EntityManager, scope: ReadScope, version: number): Promise<VersionView | null> {
  return (await versions(em, scope).where('version', '=', version).executeTakeFirst()) ?? null;
}

const versions = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .with('ran', () => sumsByVersion(em, scope))
    .with('recorded', (within) =>
      within
        .selectFrom('agent_versions')
        .where('agentId', '=', anyAgent(scope))
        .where('workspaceId', '=', scope.workspaceId)
        .select(['version', 'configCaptured', 'configHash', 'detectedAt']),
    )
    .with('all', (within) =>
      within
        .selectFrom('ran')
        .fullJoin('recorded', 'recorded.version', 'ran.version')
        .where((eb) => eb.or([eb('ran.version', 'is not', null), eb('configCaptured', '=', true)]))
        .select(({ eb, fn, val }) => [
          fn.coalesce('ran.version', 'recorded.version').$notNull().as('version'),
          fn.coalesce('configCaptured', val(false)).as('configCaptured'),
          eb.case().when('configCaptured', '=', true).then(eb.ref('configHash')).end().as('configHash'),
          fn.coalesce('detectedAt', 'firstStartedAt', now).as('detectedAt'),
          fn.coalesce('calls', val(0)).as('calls'),
          fn.coalesce('contacts', val(0)).as('contacts'),
          fn.coalesce('resolved', val(0)).as('resolved'),
          fn.coalesce('transferred', val(0)).as('transferred'),
        ]),
    )
    .selectFrom('all')
    .selectAll();

const sumsByVersion = (em: EntityManager, scope: ReadScope) =>
  everyCall(em)
    .where('agentId', '=', anyAgent(scope))
    .groupBy('version')
    .having(({ fn }) => fn.sum('calls'), '>', 0)
    .select(({ eb, fn }) => [
      'version',
      fn.sum<number>('calls').as('calls'),
      fn
        .sum<number>(eb(eb('resolved', '+', eb.ref('unresolved')), '+', eb('transferred', '+', eb.ref('abandoned'))))
        .as('contacts'),
      fn.sum<number>('resolved').as('resolved'),
      fn.sum<number>('transferred').as('transferred'),
      fn.min('firstStartedAt').as('firstStartedAt'),
    ]);
