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
import { changesBetween, type VersionChange } from '../../domain/versions/changes.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { canonicalJson } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { loadFacts } from '../evidence/load-facts.ts';
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
  const { rows } = await sql<{ id: string; title: string }>`
    select i.id, i.title from issues i join agents a on a.id = i.agent_id
    where i.agent_id = ${agentId} and i.source = a.board_source and i.section <> 'hidden' and i.withdrawn_at is null
      and i.klass <> 'behaviour' and not i.count_only`.execute(db(em));
  return new Map(rows.map(({ id, title }) => [id, title]));
}

async function knownComparisons(em: EntityManager, agentId: string) {
  const { rows } = await sql<{ from: number; to: number; inputsDigest: string; standing: Standing }>`
    select from_version as "from", to_version as "to", inputs_digest, standing
    from comparisons where agent_id = ${agentId}`.execute(db(em));
  return new Map(rows.map((row) => [`${row.from}:${row.to}`, row]));
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
  const now = {
    before: await readComparisonFacts(em, agent.agentId, from.version, null),
    after: await readComparisonFacts(em, agent.agentId, to.version, null),
  };
  const standing = nextStanding(now.before, now.after, last);
  const until = standing.moment === null || standing.moment === '' ? null : standing.moment;
  const isAll = until === null || standing !== last;
  const changes = await loadChanges(em, agent.agentId, from, to);
  const changed = new Set(changes.map(({ place }) => `${place.kind}:${place.id}`));
  const result = compareVersions({
    before: {
      version: from.version,
      now: now.before,
      judged: isAll ? now.before : await readComparisonFacts(em, agent.agentId, from.version, until),
    },
    after: {
      version: to.version,
      now: now.after,
      judged: isAll ? now.after : await readComparisonFacts(em, agent.agentId, to.version, until),
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
  const { rows } = await sql<{ version: number; configuration: AgentConfiguration | null }>`
    select version, configuration from agent_versions
    where agent_id = ${agentId} and version in (${from.version}, ${to.version})`.execute(db(em));
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
  made: Made,
): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    await sql`
      insert into comparisons (id, workspace_id, agent_id, from_version, to_version, from_captured, to_captured, changes,
        result, standing, inputs_digest)
      values (${newId()}, ${workspaceId}, ${agentId}, ${made.from.version}, ${made.to.version},
        ${made.from.configCaptured}, ${made.to.configCaptured}, ${JSON.stringify(made.changes)}::jsonb,
        ${JSON.stringify(made.result)}::jsonb, ${JSON.stringify(made.standing)}::jsonb, ${made.inputsDigest})
      on conflict (agent_id, from_version, to_version) do update set from_captured = excluded.from_captured,
        to_captured = excluded.to_captured, changes = excluded.changes, result = excluded.result,
        standing = excluded.standing, inputs_digest = excluded.inputs_digest, updated_at = now()`.execute(db(tx));
  });
}

/** A version that is recorded between two others takes the place of their comparison. */
async function removeStrangers(em: EntityManager, agentId: string, versions: readonly Recorded[]): Promise<number> {
  const pairs = versions.slice(0, -1).map((to, index) => `${versions[index + 1]?.version}:${to.version}`);
  const { rows } = await sql`
    delete from comparisons where agent_id = ${agentId}
      and from_version || ':' || to_version <> all(${pairs}::text[]) returning id`.execute(db(em));
  return rows.length;
}
