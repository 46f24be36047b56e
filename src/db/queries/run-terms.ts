import { sql } from 'kysely';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { Platform } from '../../domain/vocabulary.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';

/** What has to be known of an agent and one of its versions before it is played. */
export interface PlayTerms {
  currentVersion: number;
  /** USD a simulated call by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
  configuration: AgentConfiguration | null;
  configHash: string | null;
}

/** @param version null: the current one. @returns null where the agent has no such version. */
export async function loadPlayTerms(
  em: EntityManager,
  agentId: string,
  version: number | null,
): Promise<(PlayTerms & { version: number }) | null> {
  const { rows } = await sql<PlayTerms & { version: number; rate: string | null }>`
    select v.version, a.current_version as "currentVersion", a.simulated_call_usd as rate, v.configuration,
      'sha256:' || v.config_hash as "configHash"
    from agents a join agent_versions v on v.agent_id = a.id and v.version = coalesce(${version}::int, a.current_version)
    where a.id = ${agentId}
  `.execute(em.getKysely());
  const [row] = rows;
  return row ? { ...row, simulatedCallUsd: row.rate === null ? null : toNumber(row.rate) } : null;
}

export interface AutoTerms {
  agent: { id: string; workspaceId: string; name: string; provider: Platform };
  /** Of the captured version before; null where there is none. */
  before: AgentConfiguration | null;
  after: AgentConfiguration | null;
}

/** @returns null where the agent asks for no automatic runs, or the version has had its own. */
export async function loadAutoTerms(em: EntityManager, agentId: string, version: number): Promise<AutoTerms | null> {
  const { rows } = await sql<AutoTerms['agent'] & Pick<AutoTerms, 'before' | 'after'>>`
    select a.id, a.workspace_id as "workspaceId", a.name, a.provider,
      (select configuration from agent_versions where agent_id = a.id and version = ${version}) as after,
      (select configuration from agent_versions where agent_id = a.id and version < ${version} and config_captured
        order by version desc limit 1) as before
    from agents a where a.id = ${agentId} and a.auto_runs and not a.read_only
      and not exists (select 1 from runs where agent_id = a.id and version = ${version} and trigger = 'auto')
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const { before, after, ...agent } = row;
  return { agent, before, after };
}

/** A demo agent with tests that came with it and no run yet, held until the transaction ends; null for every other. */
export async function findUnplayedDemo(
  em: EntityManager,
  agentId: string,
): Promise<{ id: string; workspaceId: string; name: string; provider: Platform } | null> {
  const { rows } = await sql<{ id: string; workspaceId: string; name: string; provider: Platform }>`
    select a.id, a.workspace_id as "workspaceId", a.name, a.provider from agents a
    where a.id = ${agentId} and a.source = 'demo'
      and exists (select 1 from tests where agent_id = a.id and created_by = 'earshot' and archived_at is null)
      and not exists (select 1 from runs where agent_id = a.id)
    for no key update`.execute(em.getKysely());
  return rows[0] ?? null;
}
