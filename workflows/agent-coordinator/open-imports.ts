import {
  ChildWorkflowCancellationType,
  defineSignal,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import {
  type CoordinatorInput,
  coordinatorId,
  type ImportRequest,
  type OpenImport,
} from '../../src/temporal/agent-coordinator.ts';
import {
  type HoldOff,
  IMPORT_LANES,
  IMPORT_SIGNALS,
  type ImportEnded,
  type ImportInput,
  type ImportLane,
  type ImportRequestKey,
  type ImportWaits,
  importWorkflowId,
} from '../../src/temporal/import-calls.ts';
import { importAttributes } from '../../src/temporal/search-attributes.ts';
import { importCalls } from '../import-calls/import-calls.ts';
import { control } from '../shared/activity-calls.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { noteHeld } from './analyse-waiting.ts';
import type { CoordinatorState } from './messages.ts';

/** After such a time an import is asked after of whose end nobody else would tell. */
export const LOOK_GAP_MS = 600_000;

/**
 * Begins an import in its lane. It goes on whatever becomes of the coordinator, and reports its end; one that came to
 * its end without a word is asked after at once.
 */
export async function beginImport(
  { agentId, workspaceId, agentName }: CoordinatorInput,
  state: CoordinatorState,
  asked: { lane: ImportLane; request: ImportRequest & Pick<ImportInput, 'versionsTaken'>; isPoll: boolean },
): Promise<void> {
  const { lane, request, isPoll } = asked;
  const { importId, attempt } = request;
  const notSeen = { lookAtMs: null, lostFor: null, waitsFor: null, limitedUntilMs: null, counts: null };
  const open: OpenImport = { importId, attempt, isPoll, ...notSeen };
  state.open[lane] = open;
  const lost = (error: unknown) => {
    open.lostFor = failureMessage(error);
    open.lookAtMs = Date.now();
  };
  try {
    const child = await startChild(importCalls, {
      args: [{ ...request, lane, agentId, workspaceId, ...(agentName === undefined ? {} : { agentName }) }],
      workflowId: importWorkflowId(importId, attempt),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      typedSearchAttributes: importAttributes(agentId, importId),
      staticSummary: `Import of calls of ${agentName ?? coordinatorId(agentId)}`,
    });
    child.result().then((end) => noteEnd(state, { importId, attempt, ...end }), lost);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    lost(error);
  }
  const limitedUntilMs = state.open.live?.limitedUntilMs ?? null;
  if (lane === 'backfill' && limitedUntilMs !== null) await holdOff(open, limitedUntilMs);
}

/** Asks whether an import goes on; one that does not is brought to its end in the record. */
export async function lookAfter(
  { workspaceId }: CoordinatorInput,
  state: CoordinatorState,
  lane: ImportLane,
): Promise<void> {
  const open = state.open[lane];
  if (open === null) return;
  const { importId, attempt, lostFor } = open;
  open.lookAtMs = Date.now() + LOOK_GAP_MS;
  try {
    const end = await control.lookAtImport({ workspaceId, importId, attempt, lostFor });
    if (end === null) return;
    noteEnd(state, { importId, attempt, ...end });
    // What its calls wait for it would have told.
    state.analyseWanted = true;
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `An import could not be looked after: ${failureMessage(error, 'look')}`;
  }
}

/** Frees the lane of an import that has ended. That it ended is told more than once, and counts once. */
export function noteEnd(state: CoordinatorState, end: ImportEnded): void {
  const lane = laneOfOpen(state, end);
  const open = lane && state.open[lane];
  if (!lane || !open) return;
  state.open[lane] = null;
  state.changes += 1;
  const { status, reason } = end;
  if (open.isPoll) {
    state.failedPolls = status === 'failed' ? state.failedPolls + 1 : 0;
    state.lastPollMs = Date.now();
  }
  if (status === 'failed') state.wantRegroup('incremental');
  else keepSooner(state, end.heldUntil ?? null);
  state.trouble = status === 'failed' ? `The last import failed: ${reason ?? 'no reason given'}` : null;
}

/** What the import last saw may be older than what the coordinator has seen since: nobody wakes up later for it. */
function keepSooner(state: CoordinatorState, heldUntil: string | null): void {
  const { heldUntilMs } = state;
  if (heldUntil !== null) noteHeld(state, heldUntil);
  if (heldUntilMs !== null) state.heldUntilMs = Math.min(heldUntilMs, state.heldUntilMs ?? heldUntilMs);
}

/** What an import waits for. A platform that asks the live lane to wait is asked nothing by the backfill until then. */
export async function noteWait(state: CoordinatorState, waits: ImportWaits): Promise<void> {
  const lane = laneOfOpen(state, waits);
  const open = lane && state.open[lane];
  if (!lane || !open) return;
  const { waitsFor, limitedUntilMs } = waits;
  Object.assign(open, { waitsFor, limitedUntilMs });
  state.changes += 1;
  if (lane === 'live' && limitedUntilMs !== null && state.open.backfill)
    await holdOff(state.open.backfill, limitedUntilMs);
}

async function holdOff({ importId, attempt }: ImportRequestKey, untilMs: number): Promise<void> {
  const backfill = getExternalWorkflowHandle(importWorkflowId(importId, attempt));
  // One that has just ended asks nothing any more.
  await backfill.signal(defineSignal<[HoldOff]>(IMPORT_SIGNALS.holdOff), { untilMs }).catch(() => {});
}

export function openOf(state: CoordinatorState, key: ImportRequestKey): OpenImport | null {
  const lane = laneOfOpen(state, key);
  return lane === undefined ? null : state.open[lane];
}

const laneOfOpen = ({ open }: CoordinatorState, { importId, attempt }: ImportRequestKey) =>
  IMPORT_LANES.find((lane) => open[lane]?.importId === importId && open[lane]?.attempt === attempt);
