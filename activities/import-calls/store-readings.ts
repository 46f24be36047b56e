import { readRedaction } from '../../src/db/agents/agent-source.ts';
import { isDatabaseAway } from '../../src/db/away.ts';
import { type StoredCalls, storeCalls } from '../../src/db/calls/store-calls.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { resolveFailures, storeFailures } from '../../src/db/imports/failures.ts';
import { noteVersions } from '../../src/db/versions/versions.ts';
import { redactRecord } from '../../src/services/reading/redact-records.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Reading } from './call-or-reason.ts';

export interface RecordOwner {
  workspaceId: string;
  agentId: string;
  importId: string;
}

export interface StoredReadings {
  /** New or changed: now waiting for their analysis. */
  callIds: string[];
  unchanged: number;
  failedReasons: string[];
  /** What was read, without what settings leave out; null where they leave out nothing. */
  redacted: readonly Reading[] | null;
}

type CallReading = Extract<Reading, { state: 'call' }>;

/** Stores what was read, each record once: calls as calls, the others with their reason. */
export async function storeReadings(
  deps: Pick<ActivityDeps, 'vault' | 'analyser'>,
  em: EntityManager,
  owner: RecordOwner,
  given: readonly Reading[],
): Promise<StoredReadings> {
  const { readings, leavesOutNames } = await redacted(deps, em, owner, given);
  const calls = readings.filter((reading) => reading.state === 'call');
  const failures = readings.filter((reading) => reading.state === 'failed');
  const { stored, refused } = await storeEach(deps, em, { ...owner, leavesOutNames }, calls);
  await noteVersions(
    em,
    owner,
    calls.filter(({ call }) => call.versionBy === undefined).map(({ call }) => call.version),
  );
  const kept = [...failures, ...refused];
  await storeFailures(em, { ...owner, vault: deps.vault, failures: kept });
  const keptRefs = new Set(kept.map(({ ref }) => ref));
  const settled = readings.filter(({ ref, state }) => (state === 'call' || state === 'gone') && !keptRefs.has(ref));
  await resolveFailures(
    em,
    owner.agentId,
    settled.map(({ ref }) => ref),
  );
  return { ...stored, failedReasons: kept.map(({ reason }) => reason), redacted: readings === given ? null : readings };
}

/** Without what the agent's settings leave out: nothing behind this sees it. */
async function redacted(
  { analyser }: Pick<ActivityDeps, 'analyser'>,
  em: EntityManager,
  { workspaceId, agentId }: RecordOwner,
  given: readonly Reading[],
): Promise<{ readings: readonly Reading[]; leavesOutNames: boolean }> {
  const rules = await readRedaction(em, agentId);
  const leavesOutNames = rules.kinds.includes('name');
  if (rules.kinds.length + rules.patterns.length === 0) return { readings: given, leavesOutNames };
  const readings = await Promise.all(
    given.map(async (reading): Promise<Reading> => {
      if (reading.state !== 'call' && reading.state !== 'failed') return reading;
      return { ref: reading.ref, ...(await redactRecord(analyser, workspaceId, rules, reading)) };
    }),
  );
  return { readings, leavesOutNames };
}

/** A record that PostgreSQL will not take is found by storing its page one by one, and kept with that reason. */
async function storeEach(
  { vault }: Pick<ActivityDeps, 'vault'>,
  em: EntityManager,
  owner: RecordOwner & { leavesOutNames: boolean },
  calls: CallReading[],
): Promise<{ stored: StoredCalls; refused: Extract<Reading, { state: 'failed' }>[] }> {
  try {
    return { stored: await storeCalls(em, { ...owner, vault, calls }), refused: [] };
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const [only, ...others] = calls;
    if (!only) throw error;
    if (others.length === 0) {
      const reason = `The record could not be stored (${error instanceof Error ? error.name : 'unknown error'}).`;
      return {
        stored: { callIds: [], unchanged: 0 },
        refused: [{ ref: only.ref, state: 'failed', reason, payload: only.payload }],
      };
    }
  }
  const parts = [];
  for (const call of calls) parts.push(await storeEach({ vault }, em, owner, [call]));
  return {
    stored: {
      callIds: parts.flatMap((part) => part.stored.callIds),
      unchanged: parts.reduce((sum, part) => sum + part.stored.unchanged, 0),
    },
    refused: parts.flatMap((part) => part.refused),
  };
}
