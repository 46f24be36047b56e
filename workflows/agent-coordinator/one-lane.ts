import { condition, executeChild, ParentClosePolicy, patched, WorkflowIdReusePolicy } from '@temporalio/workflow';
import { type CoordinatorInput, coordinatorId, type ImportRequest } from '../../src/temporal/agent-coordinator.ts';
import { type ImportInput, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { importAttributes } from '../../src/temporal/search-attributes.ts';
import { importCalls } from '../import-calls/import-calls.ts';
import { control } from '../shared/activity-calls.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { timeOfNextPoll } from '../shared/gap-after-failed-polls.ts';
import { noteHeld } from './analyse-waiting.ts';
import type { CoordinatorState } from './messages.ts';
import { type ShownCoordinator, showCoordinator } from './one-lane-progress.ts';
import { analyse, isTiredAfter, lookForNews, regroup } from './steps.ts';

/** As coordinators work that began before there were two lanes, until they continue as new: one thing at a time. */
export async function coordinateOneLane(input: CoordinatorInput, state: CoordinatorState): Promise<void> {
  const shown = showCoordinator(state);
  const pollSeconds = () => (state.pollSeconds === undefined ? input.pollSeconds : state.pollSeconds);
  let every = pollSeconds();
  let nextPollAtMs = timeOfNextPoll(every, state.failedPolls, Date.now());
  let work = 0;
  const isTired = () => isTiredAfter(work, state);
  const hasWork = () =>
    !state.paused &&
    (state.queue.length > 0 || state.regroupWanted !== 'none' || state.analyseWanted || state.pollWanted);

  while (!isTired()) {
    if (every !== pollSeconds()) {
      every = pollSeconds();
      nextPollAtMs = timeOfNextPoll(every, state.failedPolls, Date.now());
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
      await analyse(input, state, () => state.queue.length > 0);
    } else {
      state.pollWanted = false;
      const isOneLook = patched('one look a poll');
      const status = isOneLook ? await lookAndImport(input, state, shown) : await poll(input, state, shown);
      if (status !== 'nothing') state.failedPolls = status === 'failed' ? state.failedPolls + 1 : 0;
      nextPollAtMs = timeOfNextPoll(every, state.failedPolls, Date.now());
    }
  }
}

/** A look at the platform, which is the whole poll where nothing is new, and an import where something is. */
async function lookAndImport(
  input: CoordinatorInput,
  state: CoordinatorState,
  shown: ShownCoordinator,
): Promise<string> {
  const found = await lookForNews(input, state);
  if (found === 'failed') return 'failed';
  if (found === null) return 'nothing';
  const { request, versionsTaken } = found;
  return request ? importPolled(input, state, shown, { ...request, versionsTaken }) : 'quiet';
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

async function runImport(input: CoordinatorInput, state: CoordinatorState, request: ImportRequest): Promise<string> {
  const { agentId, workspaceId, agentName } = input;
  // Nobody listens here to what an import with a lane reports.
  const { lane: _, ...asked } = request;
  try {
    const result = await executeChild(importCalls, {
      args: [{ ...asked, agentId, workspaceId, ...(agentName === undefined ? {} : { agentName }) }],
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
