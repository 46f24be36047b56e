import type { EntityManager } from '../../src/db/database.ts';
import {
  type CapturedVersions,
  capturedVersions,
  storeVersions,
  type VersionToStore,
} from '../../src/db/versions/versions.ts';
import { suggestFromVersion } from '../../src/db/watches/suggestions.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { ensureDemoDrafts } from '../../src/operations/setup/demo-drafts.ts';
import { startDemoRun } from '../../src/operations/setup/start-demo-run.ts';
import { type ListedVersion, PlatformError, type PlatformErrorKind } from '../../src/platforms/port.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { runModels } from '../shared/run-models.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { withKeyNoted } from '../shared/with-key-noted.ts';

/** Newest versions that are captured at once; older ones follow with later imports. */
const VERSIONS_AT_ONCE = 50;

export interface CaptureRequest {
  workspaceId: string;
  agentId: string;
  asking?: Asking;
}

type CaptureDeps = Pick<ActivityDeps, 'database' | 'vault' | 'platforms' | 'models' | 'isNamed' | 'requestsASecond'>;

export function createCaptureVersions(deps: CaptureDeps) {
  return async function captureVersions(request: CaptureRequest): Promise<{ captured: number }> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(request.workspaceId);
        return takeVersions(deps, request, await openAgentPlatform(deps, em, request.agentId, request.asking));
      },
    );
  };
}

/** Captures the versions that are not captured yet, and the current one again in case it was a draft. */
export async function takeVersions(
  deps: CaptureDeps,
  request: CaptureRequest,
  platform: AgentPlatform,
): Promise<{ captured: number }> {
  const em = deps.database.within(request.workspaceId);
  const { adapter, connection, source } = platform;
  const listed = withKeyNoted(em, source, () => adapter.listVersions(connection, source.providerAgentId));
  const there = (await orMissing(listed)) ?? [];
  const known = await capturedVersions(em, request.agentId);
  const wanted = there.filter((one) => one.isCurrent || !isKnown(known, one)).slice(-VERSIONS_AT_ONCE);
  const captured: VersionToStore[] = [];
  for (const one of wanted) {
    const version = await captureOne(platform, one);
    if (version) captured.push(version);
  }
  const models = runModels(deps);
  const wentLive = (tx: EntityManager, version: number) =>
    startAutoRun(tx, request.agentId, version, models, deps.isNamed);
  const stored = await storeVersions(em, request, captured, wentLive);
  await suggestFromVersion(em, request);
  await startDemoRun(em, request.agentId, models);
  await ensureDemoDrafts(em, request.agentId);
  return { captured: stored };
}

/** A version that the platform does not show is left out: its calls are read without a configuration. */
function captureOne(
  { adapter, connection, source }: AgentPlatform,
  listed: ListedVersion,
): Promise<VersionToStore | null> {
  return orMissing(adapter.captureVersion(connection, source.providerAgentId, listed));
}

function isKnown(known: CapturedVersions, { version, ref }: ListedVersion): boolean {
  return version === null ? ref !== null && known.refs.has(ref) : known.versions.has(version);
}

/** Null where the platform has not got it; an answer that a wait or a person can mend stays an error. */
async function orMissing<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    const missing: PlatformErrorKind[] = ['not_found', 'rejected', 'bad_answer', 'too_large'];
    if (error instanceof PlatformError && missing.includes(error.kind)) return null;
    throw error;
  }
}
