import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { noteEvent } from './events.ts';
import { lockAgent } from './lock-agent.ts';

/** A version as a platform's adapter captured it. */
export interface VersionToStore {
  /** Null: numbered here, by `providerRef` or else by its content. */
  version: number | null;
  providerRef: string | null;
  isCurrent: boolean;
  /** ISO 8601, or null where the platform does not say when it changed. */
  changedAt: string | null;
  /** Keys sorted, volatile fields out, secrets digested: what the hash is taken of. */
  document: JsonObject;
  configuration: AgentConfiguration;
}

export interface CapturedVersions {
  versions: ReadonlySet<number>;
  /** The platform's own handles, where it has any. */
  refs: ReadonlySet<string>;
}

/** Versions whose configuration is captured. */
export async function capturedVersions(em: EntityManager, agentId: string): Promise<CapturedVersions> {
  const { rows } = await sql<{ version: number; provider_ref: string | null }>`
    select version, provider_ref from agent_versions where agent_id = ${agentId} and config_captured
  `.execute(em.getKysely());
  return {
    versions: new Set(rows.map((row) => row.version)),
    refs: new Set(rows.map((row) => row.provider_ref).filter((ref) => ref !== null)),
  };
}

/**
 * Stores captured versions, each once: a version that is there with the same hash stays as it is. One transaction.
 * @param wentLive called in the transaction where the live version is new or has changed, and others were known before.
 * @returns how many were new or changed.
 */
export async function storeVersions(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  versions: VersionToStore[],
  wentLive?: (tx: EntityManager, version: number) => Promise<unknown>,
): Promise<number> {
  if (versions.length === 0) return 0;
  return em.transactional(async (within) => {
    const db = within.getKysely();
    await lockAgent(within, agent.agentId);
    const isFirst = (await capturedVersions(within, agent.agentId)).versions.size === 0;
    let changed = 0;
    let current: number | null = null;
    let newOnLive = false;
    for (const version of versions) {
      const document = JSON.stringify(version.document);
      const configHash = createHash('sha256').update(document).digest('hex');
      const number = version.version ?? (await numberFor(within, agent.agentId, version.providerRef, configHash));
      if (version.isCurrent) current = number;
      const { rows } = await sql`
        insert into agent_versions (id, workspace_id, agent_id, version, provider_ref, config_captured, configuration,
          captured_document, config_hash, detected_at)
        values (${newId()}, ${agent.workspaceId}, ${agent.agentId}, ${number}, ${version.providerRef}, true,
          ${JSON.stringify(version.configuration)}::jsonb, ${document}::jsonb, ${configHash},
          coalesce(${version.changedAt}::timestamptz, now()))
        on conflict (agent_id, version) do update set provider_ref = excluded.provider_ref, config_captured = true,
          configuration = excluded.configuration, captured_document = excluded.captured_document,
          config_hash = excluded.config_hash, detected_at = excluded.detected_at, updated_at = now()
        where agent_versions.config_hash is distinct from excluded.config_hash
        returning id
      `.execute(db);
      changed += rows.length;
      newOnLive ||= version.isCurrent && rows.length > 0;
    }
    await refreshAgent(within, agent.agentId, current);
    if (newOnLive && current !== null && !isFirst) await wentLive?.(within, current);
    // Last, because it keeps others of the workspace waiting until this transaction ends.
    if (newOnLive) await noteEvent(within, { agentId: agent.agentId, kind: 'version.new', ref: null });
    return changed;
  });
}

/** What the live version is told to do, else the newest captured one; null where none could be read. */
export async function currentConfiguration(em: EntityManager, agentId: string): Promise<AgentConfiguration | null> {
  const { rows } = await sql<{ configuration: AgentConfiguration | null }>`
    select v.configuration from agent_versions v join agents a on a.id = v.agent_id
    where v.agent_id = ${agentId} and v.config_captured
    order by (v.version = a.current_version) desc, v.version desc limit 1`.execute(em.getKysely());
  return rows[0]?.configuration ?? null;
}

/** What one version was told to do; null where it was not captured. */
export async function configurationOf(
  em: EntityManager,
  agentId: string,
  version: number,
): Promise<AgentConfiguration | null> {
  const { rows } = await sql<{ configuration: AgentConfiguration | null }>`
    select configuration from agent_versions where agent_id = ${agentId} and version = ${version}`.execute(
    em.getKysely(),
  );
  return rows[0]?.configuration ?? null;
}

/** The number of a version that the platform does not number: the one it had before, else the next. */
export async function numberFor(
  em: EntityManager,
  agentId: string,
  providerRef: string | null,
  configHash: string | null,
): Promise<number> {
  const { rows } = await sql<{ known: number | null; next: number }>`
    select min(version) filter (where case when ${providerRef}::text is null
        then provider_ref is null and config_hash = ${configHash} else provider_ref = ${providerRef} end) as known,
      coalesce(max(version), 0) + 1 as next
    from agent_versions where agent_id = ${agentId}
  `.execute(em.getKysely());
  return rows[0]?.known ?? rows[0]?.next ?? 1;
}

/** Makes rows for versions that calls ran on and nobody captured. */
export async function noteVersions(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  versions: number[],
): Promise<void> {
  const distinct = [...new Set(versions)].sort((a, b) => a - b);
  if (distinct.length === 0) return;
  const { rows: known } = await sql<{ version: number }>`
    select version from agent_versions where agent_id = ${agent.agentId} and version = any(${distinct}::int[])
  `.execute(em.getKysely());
  if (known.length === distinct.length) return;
  await em.transactional(async (within) => {
    await lockAgent(within, agent.agentId);
    let added = 0;
    for (const version of distinct) {
      const { rows } = await sql`
        insert into agent_versions (id, workspace_id, agent_id, version)
        values (${newId()}, ${agent.workspaceId}, ${agent.agentId}, ${version})
        on conflict (agent_id, version) do nothing returning id
      `.execute(within.getKysely());
      added += rows.length;
    }
    if (added > 0) await refreshAgent(within, agent.agentId, null);
  });
}

/** Without a version that the platform calls current, the highest number is: a higher one only ever replaces a lower one. */
async function refreshAgent(em: EntityManager, agentId: string, current: number | null): Promise<void> {
  await sql`
    update agents set updated_at = now(),
      version_count = (select count(*) from agent_versions where agent_id = ${agentId}),
      current_version = coalesce(${current}::int, (
        select case when bool_or(config_captured) then agents.current_version else max(version) end
        from agent_versions where agent_id = ${agentId}), current_version)
    where id = ${agentId}
  `.execute(em.getKysely());
}
