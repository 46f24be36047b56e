import { openFailures, requeueFailedCalls } from '../../src/db/imports/import-records.ts';
import { failureReasons } from '../../src/db/imports/imports.ts';
import { failurePlace } from '../../src/db/secrets/sealed-places.ts';
import type { PlatformWait } from '../../src/temporal/failures.ts';
import { type Asking, type FailureReason, isLineRef } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';
import { openAgentPlatform } from '../shared/agent-platform.ts';
import { platformWait } from '../shared/failures.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import type { PayloadReader, Reading } from './call-or-reason.ts';
import { fetchCalls } from './fetch-calls.ts';
import { readLine } from './store-line-page.ts';
import { type RecordOwner, storeReadings } from './store-readings.ts';

const BATCH = 50;
/** Their ids go through Temporal: some 40 kB. */
const CALLS_AT_ONCE = 1_000;

export interface RetryRequest extends RecordOwner {
  /** The last call that was taken up again, while there are more of them; null at the beginning. */
  afterCallId: string | null;
  /** The last failure that was tried again; null at the beginning. */
  afterId: string | null;
  asking?: Asking;
}

export interface RetryResult {
  /** Calls that wait for their analysis now. */
  callIds: string[];
  /** Of those, calls whose analysis had failed: they were stored before. */
  requeued: number;
  /** Failures that are none any more; of those, records that are known as they are, and that the platform no longer has. */
  resolved: number;
  unchanged?: number;
  gone?: number;
  /** Why records of the import are still kept. */
  reasons: FailureReason[];
  /** Goes on after this call; left out when no more of them failed. */
  nextAfterCallId?: string;
  /** Then goes on after this one; null when all were tried. */
  nextAfterId: string | null;
  /** The platform asks to wait before the same request is made again. */
  wait: PlatformWait | null;
}

/** Takes up again what an import kept with a reason: records that could not be read, calls whose analysis failed. */
export function createRetryFailed(deps: ActivityDeps) {
  return async function retryFailed(request: RetryRequest): Promise<RetryResult> {
    return withHeartbeat(
      () => ({ after: request.afterId }),
      () => retry(deps, request),
    );
  };
}

async function retry(deps: ActivityDeps, request: RetryRequest): Promise<RetryResult> {
  const em = deps.database.within(request.workspaceId);
  const { afterCallId } = request;
  const requeued = request.afterId === null ? await requeueFailedCalls(em, request, afterCallId, CALLS_AT_ONCE) : [];
  const nextAfterCallId = requeued.length < CALLS_AT_ONCE ? undefined : requeued.at(-1);
  if (nextAfterCallId !== undefined) {
    const reasons = await failureReasons(em, request.importId);
    const none = { resolved: 0, reasons, nextAfterId: null, wait: null };
    return { ...none, callIds: requeued, requeued: requeued.length, nextAfterCallId };
  }
  const failures = await openFailures(em, request.importId, request.afterId, BATCH);
  const by = { analyser: deps.analyser, workspaceId: request.workspaceId };
  const readings: Reading[] = [];
  let wait: PlatformWait | null = null;
  const lines = failures.filter(({ ref }) => isLineRef(ref));
  for (const { ref, sealedPayload } of lines) {
    if (sealedPayload === null) continue;
    const place = failurePlace(request.workspaceId, request.agentId, ref);
    readings.push(
      await readAgain({ ...by, reader: deps.platforms.reader('file') }, ref, deps.vault.open(sealedPayload, place)),
    );
  }
  const refs = failures.map(({ ref }) => ref).filter((ref) => !isLineRef(ref));
  if (refs.length > 0) {
    const fetched = await fetchCalls(await openAgentPlatform(deps, em, request.agentId, request.asking), by, refs);
    readings.push(...fetched.readings);
    if (fetched.rateLimit) wait = platformWait(fetched.rateLimit);
  }
  const stored = await storeReadings(deps, em, request, readings);
  const isLast = failures.length < BATCH;
  return {
    callIds: [...requeued, ...stored.callIds],
    requeued: requeued.length,
    resolved:
      readings.filter(({ state }) => state === 'call' || state === 'gone').length - refusedCalls(readings, stored),
    unchanged: stored.unchanged,
    gone: readings.filter(({ state }) => state === 'gone').length,
    reasons: await failureReasons(em, request.importId),
    nextAfterId: wait ? request.afterId : isLast ? null : (failures.at(-1)?.id ?? null),
    wait,
  };
}

/** A record that was no JSON is kept as its text, the others as what they were. */
function readAgain(by: PayloadReader, ref: string, text: string): Promise<Reading> {
  const record: unknown = JSON.parse(text);
  return readLine(by, ref, typeof record === 'string' ? record : text);
}

/** Records that were read this time and could not be stored. */
function refusedCalls(readings: readonly Reading[], stored: { failedReasons: string[] }): number {
  return stored.failedReasons.length - readings.filter(({ state }) => state === 'failed').length;
}
