import { sql } from 'kysely';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';

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
  page: { beforeVersion: number | null; limit: number },
): Promise<VersionView[]> {
  const { rows } = await sql<VersionView>`
    with ran as (
      select version, sum(calls)::float8 as calls, sum(resolved + unresolved + transferred + abandoned)::float8 as contacts,
        sum(resolved)::float8 as resolved, sum(transferred)::float8 as transferred,
        min(first_started_at) as first_started_at
      from place_rollups
      where ${ofAgents('agent_id', scope)} and place_kind = 'agent' and place_digest = md5('agent')
      group by version having sum(calls) > 0
    ),
    recorded as (
      select version, config_captured, config_hash, detected_at from agent_versions
      where ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId}
    )
    select coalesce(ran.version, recorded.version) as version, coalesce(config_captured, false) as config_captured,
      case when config_captured then config_hash end as config_hash,
      coalesce(detected_at, first_started_at, now()) as detected_at, coalesce(calls, 0) as calls,
      coalesce(contacts, 0) as contacts, coalesce(resolved, 0) as resolved,
      coalesce(transferred, 0) as transferred
    from ran full join recorded on recorded.version = ran.version
    where (ran.version is not null or config_captured)
      and (${page.beforeVersion}::int is null or coalesce(ran.version, recorded.version) < ${page.beforeVersion}::int)
    order by 1 desc limit ${page.limit + 1}
  `.execute(db(em));
  return rows.map((row) => ({ ...row, detectedAt: toIso(row.detectedAt) }));
}
