import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { numberFor } from './versions.ts';

interface KnownVersion {
  version: number;
  provider_ref: string | null;
  /** ISO 8601. */
  detected_at: string;
}

/**
 * Puts numbers to versions that the platform does not number: by its own handle, which gets the next number when it is
 * met for the first time, or by which version was current when the call began. Runs under the agent's lock.
 */
export async function resolveVersions(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  calls: readonly NormalisedCall[],
): Promise<void> {
  if (calls.length === 0) return;
  const known = await knownVersions(em, agent.agentId);
  for (const call of calls.toSorted(byStart)) {
    if (call.versionBy === 'at_start') call.version = versionAt(known, call.startedAt);
    else if (call.versionBy) call.version = await versionOf(em, agent, known, call.versionBy.ref);
    delete call.versionBy;
  }
}

async function knownVersions(em: EntityManager, agentId: string): Promise<KnownVersion[]> {
  const { rows } = await sql<KnownVersion>`
    select version, provider_ref, to_char(detected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as detected_at
    from agent_versions where agent_id = ${agentId} order by detected_at, version
  `.execute(em.getKysely());
  return rows;
}

/** Calls from before the first version that we know of count to it. */
function versionAt(known: readonly KnownVersion[], startedAt: string | null): number {
  const live = known.findLast(({ detected_at }) => startedAt === null || detected_at <= startedAt);
  return (live ?? known[0])?.version ?? 1;
}

async function versionOf(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  known: KnownVersion[],
  ref: string,
): Promise<number> {
  const found = known.find(({ provider_ref }) => provider_ref === ref);
  if (found) return found.version;
  const version = await numberFor(em, agentId, ref, null);
  await sql`
    insert into agent_versions (id, workspace_id, agent_id, version, provider_ref)
    values (${newId()}, ${workspaceId}, ${agentId}, ${version}, ${ref})
    on conflict (agent_id, version) do nothing
  `.execute(em.getKysely());
  known.push({ version, provider_ref: ref, detected_at: new Date(0).toISOString() });
  return version;
}

function byStart(a: NormalisedCall, b: NormalisedCall): number {
  const [left, right] = [a.startedAt ?? '', b.startedAt ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
