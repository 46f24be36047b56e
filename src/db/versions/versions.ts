import { createHash } from 'node:crypto';
import { envelopeBody } from '../../domain/delivery/envelope.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishEvent } from '../events/events.ts';
import { clock, json, now } from '../expressions.ts';
import type { NewRow } from '../tables.ts';
import { enqueueDeliveries } from '../webhooks/deliveries.ts';

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
  const rows = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .where('configCaptured', '=', true)
    .select(['version', 'providerRef'])
    .execute();
  return {
    versions: new Set(rows.map((row) => row.version)),
    refs: new Set(rows.map((row) => row.providerRef).filter((ref) => ref !== null)),
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
    await lockAgent(within, agent.agentId);
    const isFirst = (await capturedVersions(within, agent.agentId)).versions.size === 0;
    let changed = 0;
    let current: number | null = null;
    let newOnLive = false;
    for (const version of versions) {
      const { providerRef, configuration, changedAt } = version;
      const configHash = createHash('sha256').update(JSON.stringify(version.document)).digest('hex');
      const number = version.version ?? (await numberFor(within, agent.agentId, providerRef, configHash));
      if (version.isCurrent) current = number;
      const captured = {
        providerRef,
        configCaptured: true,
        configuration: json(configuration),
        capturedDocument: json(version.document),
        configHash,
        detectedAt: changedAt ?? now,
      };
      const rows = await db(within)
        .insertInto('agent_versions')
        .values({ id: newId(), workspaceId: agent.workspaceId, agentId: agent.agentId, version: number, ...captured })
        .onConflict((conflict) =>
          conflict
            .columns(['agentId', 'version'])
            .doUpdateSet({ ...captured, updatedAt: now })
            .where('agent_versions.configHash', 'is distinct from', configHash),
        )
        .returning('id')
        .execute();
      changed += rows.length;
      newOnLive ||= version.isCurrent && rows.length > 0;
    }
    await refreshAgent(within, agent.agentId, current);
    if (newOnLive && current !== null && !isFirst) await wentLive?.(within, current);
    if (newOnLive && current !== null) await tellOfVersion(within, agent, current);
    // Last, because it keeps others of the workspace waiting until this transaction ends.
    if (newOnLive) await publishEvent(within, { agentId: agent.agentId, kind: 'version.new', ref: null });
    return changed;
  });
}

/** A version that changes after it went live is told of again. */
async function tellOfVersion(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  version: number,
): Promise<void> {
  const row = await db(em)
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', 'v.agentId', 'a.id')
    .where('a.id', '=', agentId)
    .where('v.version', '=', version)
    .select(['a.name as agentName', 'v.configHash', clock.as('at')])
    .executeTakeFirstOrThrow();
  const event = 'version.new';
  const body = envelopeBody(event, row.at, { agentId, agentName: row.agentName, version });
  const eventKey = `version:${agentId}/${version}/${row.configHash}`;
  await enqueueDeliveries(em, { workspaceId, agentId, event, eventKey, body });
}

/** What the live version is told to do, else the newest captured one; null where none could be read. */
export async function currentConfiguration(em: EntityManager, agentId: string): Promise<AgentConfiguration | null> {
  const version = await db(em)
    .selectFrom('agent_versions as v')
    .innerJoin('agents as a', 'a.id', 'v.agentId')
    .where('v.agentId', '=', agentId)
    .where('v.configCaptured', '=', true)
    .select('v.configuration')
    .orderBy((eb) => eb('v.version', '=', eb.ref('a.currentVersion')), 'desc')
    .orderBy('v.version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return version?.configuration ?? null;
}

/** What one version was told to do; null where it was not captured. */
export async function configurationOf(
  em: EntityManager,
  agentId: string,
  version: number,
): Promise<AgentConfiguration | null> {
  const captured = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .where('version', '=', version)
    .select('configuration')
    .executeTakeFirst();
  return captured?.configuration ?? null;
}

/** The number of a version that the platform does not number: the one it had before, else the next. */
export async function numberFor(
  em: EntityManager,
  agentId: string,
  providerRef: string | null,
  configHash: string | null,
): Promise<number> {
  const { known, next } = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .select(({ eb, fn, val }) => [
      fn
        .min('version')
        .filterWhere(
          providerRef === null
            ? eb.and([eb('providerRef', 'is', null), eb('configHash', '=', configHash)])
            : eb('providerRef', '=', providerRef),
        )
        .as('known'),
      eb(fn.coalesce(fn.max('version'), val(0)), '+', 1).as('next'),
    ])
    .executeTakeFirstOrThrow();
  return known ?? next;
}

/** Makes rows for versions that calls ran on and nobody captured. */
export async function noteVersions(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  versions: number[],
): Promise<void> {
  const distinct = [...new Set(versions)].sort((a, b) => a - b);
  if (distinct.length === 0) return;
  const known = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agent.agentId)
    .where('version', 'in', distinct)
    .select('version')
    .execute();
  if (known.length === distinct.length) return;
  await em.transactional(async (within) => {
    await lockAgent(within, agent.agentId);
    const { workspaceId, agentId } = agent;
    const added = await db(within)
      .insertInto('agent_versions')
      .values(distinct.map((version): NewRow<'agent_versions'> => ({ id: newId(), workspaceId, agentId, version })))
      .onConflict((conflict) => conflict.columns(['agentId', 'version']).doNothing())
      .returning('id')
      .execute();
    if (added.length > 0) await refreshAgent(within, agent.agentId, null);
  });
}

/** Without a version that the platform calls current, the highest number is: a higher one only ever replaces a lower one. */
export async function refreshAgent(em: EntityManager, agentId: string, current: number | null): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set((eb) => {
      const versions = eb.selectFrom('agent_versions').where('agentId', '=', agentId);
      const highest = versions.select(({ fn }) =>
        eb
          .case()
          .when(fn.agg<boolean>('bool_or', ['configCaptured']), '=', true)
          .then(eb.ref('agents.currentVersion'))
          .else(fn.max('version'))
          .end()
          .as('version'),
      );
      return {
        versionCount: versions.select(({ fn }) => fn.countAll<number>().as('versions')),
        currentVersion: eb.fn.coalesce(
          eb.cast<number | null>(eb.val(current), 'integer'),
          highest,
          'agents.currentVersion',
        ),
        updatedAt: now,
      };
    })
    .execute();
}
