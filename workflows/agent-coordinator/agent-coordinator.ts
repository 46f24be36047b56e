import {
  allHandlersFinished,
  condition,
  executeChild,
  makeContinueAsNewFunc,
  ParentClosePolicy,
  patched,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import type { PollLook } from '../../activities/import-calls/look-for-calls.ts';
import {
  AGENT_COORDINATOR,
  type CoordinatorInput,
  coordinatorId,
  type ImportRequest,
} from '../../src/temporal/agent-coordinator.ts';
import { type ImportInput, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { coordinatorAttributes, importAttributes } from '../../src/temporal/search-attributes.ts';
import { importCalls } from '../import-calls/import-calls.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { analyseWaiting, noteHeld } from './analyse-waiting.ts';
import { type CoordinatorState, listenForMessages } from './messages.ts';
import { type ShownCoordinator, showCoordinator } from './progress.ts';

/** Pieces of work, or messages, of one execution before it continues as new. */
const WORK_OF_ONE_RUN = 100;
const MESSAGES_OF_ONE_RUN = 1_000;
const LONGEST_POLL_GAP_SECONDS = 3_600;

/** One coordinator an agent, for as long as the agent is there: it takes messages at any time and does one thing at a time. */
export async function agentCoordinator(input: CoordinatorInput): Promise<void> {
  const state = listenForMessages(input.carried);
  const shown = showCoordinator(state);
  const pollSeconds = () => (state.pollSeconds === undefined ? input.pollSeconds : state.pollSeconds);
  let every = pollSeconds();
  let nextPollAtMs = timeOfNextPoll(every, state);
  let work = 0;
  const isTired = () =>
    workflowInfo().continueAsNewSuggested || work >= WORK_OF_ONE_RUN || state.messages >= MESSAGES_OF_ONE_RUN;
  const hasWork = () =>
    !state.paused &&
    (state.queue.length > 0 || state.regroupWanted !== 'none' || state.analyseWanted || state.pollWanted);

  while (!isTired()) {
    if (every !== pollSeconds()) {
      every = pollSeconds();
      nextPollAtMs = timeOfNextPoll(every, state);
    }
    if (!hasWork()) {
      shown.idle(state.paused ? null : nextPollAtMs);
      const next = state.paused ? null : nextTurn(nextPollAtMs, state.heldUntilMs);
      const wait = next === null ? undefined : Math.max(0, next.atMs - Date.now());
      const paused = state.paused;
      const called = () => hasWork() || isTired() || state.paused !== paused || every !== pollSeconds();
      const wasCalled =
        wait === undefined
          ? await condition(called).then(() => true)
          : await condition(called, wait, {
              summary: next?.of === 'poll' ? 'until the next poll' : 'until the allowance turns',
            });
      if (!wasCalled && next?.of === 'poll') state.pollWanted = true;
      if (!wasCalled && next?.of === 'allowance') state.analyseWanted = true;
      continue;
    }
    work += 1;
    const [request] = state.queue;
    if (request) {
      state.queue.shift();
      shown.importing(request);
      await runImport(input, state, request);
    } else if (state.regroupWanted !== 'none') {
      const mode = state.regroupWanted;
      state.regroupWanted = 'none';
      shown.grouping();
      await regroup(input, state, mode);
    } else if (state.analyseWanted) {
      shown.analysing();
      await analyse(input, state);
    } else {
      state.pollWanted = false;
      const isOneLook = patched('one look a poll');
      const status = isOneLook ? await lookAndImport(input, state, shown) : await poll(input, state, shown);
      if (status !== 'nothing') state.failedPolls = status === 'failed' ? state.failedPolls + 1 : 0;
      nextPollAtMs = timeOfNextPoll(every, state);
    }
  }
  await condition(allHandlersFinished);
  // Also one that began under an earlier name goes on under the present one, and with its attributes.
  const goOn = makeContinueAsNewFunc<typeof agentCoordinator>({
    workflowType: AGENT_COORDINATOR,
    typedSearchAttributes: coordinatorAttributes(input.agentId),
  });
  return goOn({ ...input, pollSeconds: pollSeconds(), carried: state.carried() });
}

/** A look at the platform, which is the whole poll where nothing is new, and an import where something is. */
async function lookAndImport(
  input: CoordinatorInput,
  state: CoordinatorState,
  shown: ShownCoordinator,
): Promise<string> {
  const { workspaceId, agentId } = input;
  let found: PollLook | null;
  try {
    found = await analysis('new calls').lookForCalls({ workspaceId, agentId });
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `The last poll failed: ${failureMessage(error, 'look')}`;
    return 'failed';
  }
  if (found === null) return 'nothing';
  const { request, versionsTaken, heldUntil } = found;
  if (request) return importPolled(input, state, shown, { ...request, versionsTaken });
  state.trouble = null;
  noteHeld(state, heldUntil);
  return 'quiet';
}

/** As coordinators poll that began before one look was the whole of a quiet poll. */
async function poll(input: CoordinatorInput, state: CoordinatorState, shown: ShownCoordinator): Promise<string> {
  const { request } = await control.planPoll({ workspaceId: input.workspaceId, agentId: input.agentId });
  return request ? importPolled(input, state, shown, request) : 'nothing';
}

function importPolled(
  input: CoordinatorInput,
  state: CoordinatorState,
  shown: ShownCoordinator,
  request: ImportRequest & Pick<ImportInput, 'versionsTaken'>,
): Promise<string> {
  state.took(request);
  shown.importing(request);
  return runImport(input, state, request);
}

/** What the coordinator wakes up for by itself. */
function nextTurn(pollAtMs: number | null, heldUntilMs: number | null) {
  if (heldUntilMs !== null && (pollAtMs === null || heldUntilMs < pollAtMs)) {
    return { of: 'allowance', atMs: heldUntilMs } as const;
  }
  return pollAtMs === null ? null : ({ of: 'poll', atMs: pollAtMs } as const);
}

/** Polls that fail come at growing gaps, so that a revoked key is not knocked on every minute. */
function timeOfNextPoll(pollSeconds: number | null, { failedPolls }: CoordinatorState): number | null {
  if (pollSeconds === null) return null;
  const gapSeconds = Math.max(
    pollSeconds,
    Math.min(pollSeconds * 2 ** Math.min(failedPolls, 12), LONGEST_POLL_GAP_SECONDS),
  );
  return Date.now() + gapSeconds * 1000;
}

async function runImport(input: CoordinatorInput, state: CoordinatorState, request: ImportRequest): Promise<string> {
  const { agentId, workspaceId, agentName } = input;
  try {
    const result = await executeChild(importCalls, {
      args: [{ ...request, agentId, workspaceId, ...(agentName === undefined ? {} : { agentName }) }],
      workflowId: importWorkflowId(request.importId, request.attempt),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      typedSearchAttributes: importAttributes(agentId, request.importId),
      staticSummary: `Import of calls of ${agentName ?? coordinatorId(agentId)}`,
    });
    if (result.status === 'failed') state.wantRegroup('incremental');
    else noteHeld(state, result.heldUntil ?? null);
    state.trouble = result.status === 'failed' ? `The last import failed: ${result.reason ?? 'no reason given'}` : null;
    return result.status;
  } catch (error) {
    if (isOurEnd(error)) throw error;
    const reason = failureMessage(error);
    await control.finishImport({ ...request, workspaceId, status: 'failed', reason });
    state.trouble = `The last import failed: ${reason}`;
    state.wantRegroup('incremental');
    return 'failed';
  }
}

/** A grouping that fails is shown and comes again with the next one: the evidence stays. */
async function regroup(input: CoordinatorInput, state: CoordinatorState, mode: 'incremental' | 'full'): Promise<void> {
  try {
    await analysis('issues of the agent').regroup({ workspaceId: input.workspaceId, agentId: input.agentId, mode });
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `The last grouping failed: ${failureMessage(error)}`;
  }
}

/** An analysis that fails is shown, and comes again with the next import, the next hour's look or the next plan. */
async function analyse(input: CoordinatorInput, state: CoordinatorState): Promise<void> {
  try {
    await analyseWaiting(input, state);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `Calls that waited could not be analysed: ${failureMessage(error)}`;
  }
}
