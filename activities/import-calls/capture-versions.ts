import { log } from '@temporalio/activity';
import { AnalysisFailed } from '../../src/analyser/analyser.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { type CapturedVersions, capturedVersions, storeVersions } from '../../src/db/versions/versions.ts';
import { tooLargeFor } from '../../src/domain/versions/version-bounds.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { ensureDemoDrafts } from '../../src/operations/setup/demo-drafts.ts';
import { startDemoRun } from '../../src/operations/setup/start-demo-run.ts';
import {
  type CapturedVersion,
  type ListedVersion,
  PlatformError,
  type PlatformErrorKind,
} from '../../src/platforms/port.ts';
import { suggestFromVersion } from '../../src/services/watches/suggest-from-version.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { runModels } from '../shared/run-models.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { withKeyNoted } from '../shared/with-key-noted.ts';

/** Newest versions that are captured at once; older ones follow with later imports. */
const VERSIONS_AT_ONCE = 50;
/** Of all answers that are asked for to capture one: its agent, its flow, its tools or components, and lists beside them. */
const ANSWERS_OF_VERSION_BYTES = 16 * 1024 * 1024;

export interface CaptureRequest {
  workspaceId: string;
  agentId: string;
  asking?: Asking;
}

type CaptureDeps = Pick<
  ActivityDeps,
  'analyser' | 'database' | 'vault' | 'platforms' | 'models' | 'isNamed' | 'requestsASecond'
>;

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
  const models = runModels(deps);
  const isFirst = known.versions.size === 0;
  const wentLive = (tx: EntityManager, version: number) =>
    startAutoRun(tx, request.agentId, version, models, deps.isNamed);
  let stored = 0;
  // One by one: each may be as large as a version may be, and none has to be held for the next.
  for (const one of wanted) {
    const version = await captureOne(platform, one);
    if (version) stored += await storeVersions(em, request, [version], isFirst ? undefined : wentLive);
  }
  await suggestOfVersion(deps, em, request);
  await startDemoRun(em, request.agentId, models);
  await ensureDemoDrafts(em, request.agentId);
  return { captured: stored };
}

/** Lines that can't be read within the time there is suggest nothing, and hold up no import. */
export async function suggestOfVersion(
  { analyser }: Pick<ActivityDeps, 'analyser'>,
  em: EntityManager,
  owner: Pick<CaptureRequest, 'workspaceId' | 'agentId'>,
): Promise<void> {
  try {
    await suggestFromVersion(em, analyser, owner);
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    log.warn('no watches are suggested of a version', { agentId: owner.agentId, reason: error.message });
  }
}

/** A version that the platform does not show, or that is too large, is left out: its calls are read without a configuration. */
async function captureOne(
  { adapter, connection, source }: AgentPlatform,
  listed: ListedVersion,
): Promise<CapturedVersion | null> {
  const answers = { bytesLeft: ANSWERS_OF_VERSION_BYTES };
  const version = await orMissing(adapter.captureVersion({ ...connection, answers }, source.providerAgentId, listed));
  const tooLarge = version && tooLargeFor(version.document, version.configuration);
  if (tooLarge === null) return version;
  log.warn('a version is too large to be captured', { agentId: source.agentId, version: listed.version, tooLarge });
  return null;
}

function isKnown(known: CapturedVersions, { version, ref }: ListedVersion): boolean {
  return version === null ? ref !== null && known.refs.has(ref) : known.versions.has(version);
}

/** Null where the platform has not got it; an answer that a wait or a person can fix stays an error. */
async function orMissing<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    const missing: PlatformErrorKind[] = ['not_found', 'rejected', 'bad_answer', 'too_large'];
    if (error instanceof PlatformError && missing.includes(error.kind)) return null;
    throw error;
  }
}
