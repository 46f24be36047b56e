import type { NormalisedCall } from '../../domain/calls/call.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { numberFor, refreshAgent } from './versions.ts';

interface KnownVersion {
  version: number;
  providerRef: string | null;
  /** ISO 8601. */
  detectedAt: string;
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

function knownVersions(em: EntityManager, agentId: string): Promise<KnownVersion[]> {
  return db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .select(['version', 'providerRef', 'detectedAt'])
    .orderBy('detectedAt')
    .orderBy('version')
    .execute();
}

/** Calls from before the first version that we know of count to it. */
function versionAt(known: readonly KnownVersion[], startedAt: string | null): number {
  const live = known.findLast(({ detectedAt }) => startedAt === null || detectedAt <= startedAt);
  return (live ?? known[0])?.version ?? 1;
}

async function versionOf(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  known: KnownVersion[],
  ref: string,
): Promise<number> {
  const found = known.find(({ providerRef }) => providerRef === ref);
  if (found) return found.version;
  const version = await numberFor(em, agentId, ref, null);
  await db(em)
    .insertInto('agent_versions')
    .values({ id: newId(), workspaceId, agentId, version, providerRef: ref })
    .onConflict((conflict) => conflict.columns(['agentId', 'version']).doNothing())
    .execute();
  await refreshAgent(em, agentId, null);
  known.push({ version, providerRef: ref, detectedAt: new Date(0).toISOString() });
  return version;
}

function byStart(a: NormalisedCall, b: NormalisedCall): number {
  const [left, right] = [a.startedAt ?? '', b.startedAt ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
