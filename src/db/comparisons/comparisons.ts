import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { NOT_JUDGED, nextStanding, type Standing } from '../../domain/comparisons/checkpoint.ts';
import { compareVersions } from '../../domain/comparisons/compare.ts';
import type { ComparisonResult } from '../../domain/comparisons/comparison.ts';
import type { IssueSides } from '../../domain/comparisons/issue-moves.ts';
import { type Base, baseReader } from '../../domain/issues/facts.ts';
import { entryReader } from '../../domain/issues/rescore.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import type { Place } from '../../domain/signals/signal.ts';
import { changesBetween } from '../../domain/versions/changes.ts';
import type { VersionChange } from '../../domain/versions/version-change.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { canonicalJson } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { loadFacts } from '../evidence/load-facts.ts';
import { json, now } from '../expressions.ts';
import { listVersions } from '../versions/read-versions.ts';
import { readComparisonFacts } from './comparison-facts.ts';

/** Versions of an agent that are compared at once, newest first; nobody asks about older ones again. */
const VERSIONS_AT_MOST = 1_000;

type Catalogue = ReadonlyMap<string, CatalogueEntry>;

interface Recorded {
  version: number;
  configCaptured: boolean;
  configHash: string | null;
}

/**
 * Brings the comparison of each two neighbouring versions to what the calls say. One whose calls, issues and
 * configurations are the same as before is left alone. @returns how many were written.
 */
export async function refreshComparisons(
  em: EntityManager,
  catalogue: Catalogue,
  agent: { workspaceId: string; agentId: string },
): Promise<number> {
  const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
  const versions = await listVersions(em, scope, { beforeVersion: null, limit: VERSIONS_AT_MOST });
  if (versions.length < 2) return 0;
  const inputs = await loadInputs(em, catalogue, agent.agentId);
  const known = await knownComparisons(em, agent.agentId);
  let written = 0;
  for (const [index, to] of versions.entries()) {
    const from = versions[index + 1];
    if (!from) break;
    const last = known.get(`${from.version}:${to.version}`);
    const inputsDigest = inputs.digestOf(from, to);
    if (last?.inputsDigest === inputsDigest) continue;
    await writeComparison(em, agent, { from, to, inputs, inputsDigest, standing: last?.standing ?? NOT_JUDGED });
    written += 1;
  }
  return written + (await removeStrangers(em, agent.agentId, versions));
}

interface Inputs {
  issues: readonly IssueOfVersions[];
  digestOf(from: Recorded, to: Recorded): string;
}

interface IssueOfVersions {
  issueId: string;
  title: string;
  place: Place;
  calls: ReadonlyMap<number, number>;
  base: Base;
}

/** Issues of the kind that the board shows, as it shows them: what is folded under another moves with that one. */
async function loadInputs(em: EntityManager, catalogue: Catalogue, agentId: string): Promise<Inputs> {
  const entryOf = entryReader(catalogue);
  const { agent, groups, outcomes } = await loadFacts(em, agentId, entryOf);
  const baseOf = baseReader(agent);
  const titles = await listedTitles(em, agentId);
  const issues = [...groups, ...outcomes]
    .filter(({ issueId }) => titles.has(issueId))
    .map(
      (group): IssueOfVersions => ({
        issueId: group.issueId,
        title: titles.get(group.issueId) ?? entryOf(group.code).title,
        place: group.place,
        // Of a row for several problems the calls of all of them.
        calls: new Map(group.versions.map(({ version, calls }) => [version, calls])),
        base: baseOf(group.source === 'outcome' ? '' : group.code),
      }),
    );
  const all = baseReader(agent)('');
  return {
    issues,
    digestOf(from, to) {
      const seen = [from, to].map(({ version, configHash }) => ({
        version,
        configHash,
        sums: all.versions.get(version) ?? null,
        issues: issues.map(({ issueId, title, calls, base }) => [
          issueId,
          title,
          calls.get(version) ?? 0,
          base.versions.get(version)?.calls ?? 0,
        ]),
      }));
      return createHash('sha256').update(canonicalJson(seen)).digest('base64url');
    },
  };
}

/** Titles of what the board lists or would list were it not resolved, by id. */
async function listedTitles(em: EntityManager, agentId: string): Promise<Map<string, string>> {
  const issues = await db(em)
    .selectFrom('issues as i')
    .innerJoin('agents as a', 'a.id', 'i.agentId')
    .where('i.agentId', '=', agentId)
    .whereRef('i.source', '=', 'a.boardSource')
    .where('i.section', '<>', 'hidden')
    .where('i.withdrawnAt', 'is', null)
    .where('i.klass', '<>', 'behaviour')
    .where('i.countOnly', '=', false)
    .select(['i.id', 'i.title'])
    .execute();
  return new Map(issues.map(({ id, title }) => [id, title]));
}

async function knownComparisons(em: EntityManager, agentId: string) {
  const known = await db(em)
    .selectFrom('comparisons')
    .where('agentId', '=', agentId)
    .select(['fromVersion as from', 'toVersion as to', 'inputsDigest', 'standing'])
    .execute();
  return new Map(known.map((row) => [`${row.from}:${row.to}`, row]));
}

interface Pair {
  from: Recorded;
  to: Recorded;
  inputs: Inputs;
  inputsDigest: string;
  standing: Standing;
}

async function writeComparison(
  em: EntityManager,
  agent: { workspaceId: string; agentId: string },
  { from, to, inputs, inputsDigest, standing: last }: Pair,
): Promise<void> {
  const present = {
    before: await readComparisonFacts(em, agent.agentId, from.version, null),
    after: await readComparisonFacts(em, agent.agentId, to.version, null),
  };
  const standing = nextStanding(present.before, present.after, last);
  const until = standing.moment === null || standing.moment === '' ? null : standing.moment;
  const isAll = until === null || standing !== last;
  const changes = await loadChanges(em, agent.agentId, from, to);
  const changed = new Set(changes.map(({ place }) => `${place.kind}:${place.id}`));
  const result = compareVersions({
    before: {
      version: from.version,
      now: present.before,
      judged: isAll ? present.before : await readComparisonFacts(em, agent.agentId, from.version, until),
    },
    after: {
      version: to.version,
      now: present.after,
      judged: isAll ? present.after : await readComparisonFacts(em, agent.agentId, to.version, until),
    },
    issues: inputs.issues.map((issue) => sidesOf(issue, from.version, to.version)),
    isChangedPlace: (place) => changed.has(`${place.kind}:${place.id}`),
    isRandomized: false,
    standing,
  });
  await store(em, agent, { from, to, changes, result, standing, inputsDigest });
}

function sidesOf({ issueId, title, place, calls, base }: IssueOfVersions, from: number, to: number): IssueSides {
  const side = (version: number) => {
    const k = calls.get(version) ?? 0;
    return { k, n: Math.max(k, base.versions.get(version)?.calls ?? 0) };
  };
  return { issueId, title, place, before: side(from), after: side(to) };
}

async function loadChanges(em: EntityManager, agentId: string, from: Recorded, to: Recorded): Promise<VersionChange[]> {
  if (!from.configCaptured || !to.configCaptured || from.configHash === to.configHash) return [];
  const rows = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .where('version', 'in', [from.version, to.version])
    .select(['version', 'configuration'])
    .execute();
  const configurationOf = (version: number) => rows.find((row) => row.version === version)?.configuration;
  const [before, after] = [configurationOf(from.version), configurationOf(to.version)];
  return before && after ? changesBetween(before, after) : [];
}

interface Made {
  from: Recorded;
  to: Recorded;
  changes: VersionChange[];
  result: ComparisonResult;
  standing: Standing;
  inputsDigest: string;
}

async function store(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  { from, to, changes, result, standing, inputsDigest }: Made,
): Promise<void> {
  const found = {
    fromCaptured: from.configCaptured,
    toCaptured: to.configCaptured,
    changes: json(changes),
    result: json(result),
    standing: json(standing),
    inputsDigest,
  };
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    await db(tx)
      .insertInto('comparisons')
      .values({ id: newId(), workspaceId, agentId, fromVersion: from.version, toVersion: to.version, ...found })
      .onConflict((conflict) =>
        conflict.columns(['agentId', 'fromVersion', 'toVersion']).doUpdateSet({ ...found, updatedAt: now }),
      )
      .execute();
  });
}

/** A version that is recorded between two others takes the place of their comparison. */
async function removeStrangers(em: EntityManager, agentId: string, versions: readonly Recorded[]): Promise<number> {
  const pairs = versions.slice(0, -1).map((to, index) => `${versions[index + 1]?.version}:${to.version}`);
  const removed = await db(em)
    .deleteFrom('comparisons')
    .where('agentId', '=', agentId)
    .where(sql<boolean>`from_version || ':' || to_version <> all(${pairs}::text[])`)
    .returning('id')
    .execute();
  return removed.length;
}
