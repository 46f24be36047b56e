import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { type DeskInput, deskId, type ImportRequest } from '../src/durable/desk.ts';
import { importWorkflowId } from '../src/durable/import.ts';
import { importAttributes } from '../src/durable/search-attributes.ts';
import { analysis, control } from './activity-calls.ts';
import { analyseWaiting, noteHeld } from './analyse-waiting.ts';
import { type DeskMessages, listenAtDesk } from './desk-messages.ts';
import { showDesk } from './desk-progress.ts';
import { importCalls } from './import-calls.ts';
import { sentenceOf } from './import-patience.ts';

/** Pieces of work, or messages, of one execution before it continues as new. */
const WORK_OF_ONE_RUN = 100;
const MESSAGES_OF_ONE_RUN = 1_000;
const LONGEST_POLL_GAP_SECONDS = 3_600;

/** One desk an agent, for as long as the agent is there: it takes messages at any time and does one thing at a time. */
export async function agentDesk(input: DeskInput): Promise<void> {
  const desk = listenAtDesk(input.carried);
  const shown = showDesk(desk);
  const pollSeconds = () => (desk.pollSeconds === undefined ? input.pollSeconds : desk.pollSeconds);
  let every = pollSeconds();
  let nextPollAtMs = timeOfNextPoll(every, desk);
  let work = 0;
  const isTired = () =>
    workflowInfo().continueAsNewSuggested || work >= WORK_OF_ONE_RUN || desk.messages >= MESSAGES_OF_ONE_RUN;
  const hasWork = () =>
    !desk.paused && (desk.queue.length > 0 || desk.regroupWanted !== 'none' || desk.analyseWanted || desk.pollWanted);

  while (!isTired()) {
    if (every !== pollSeconds()) {
      every = pollSeconds();
      nextPollAtMs = timeOfNextPoll(every, desk);
    }
    if (!hasWork()) {
      shown.idle(desk.paused ? null : nextPollAtMs);
      const next = desk.paused ? null : nextTurn(nextPollAtMs, desk.heldUntilMs);
      const wait = next === null ? undefined : Math.max(0, next.atMs - Date.now());
      const paused = desk.paused;
      const called = () => hasWork() || isTired() || desk.paused !== paused || every !== pollSeconds();
      const wasCalled = wait === undefined ? await condition(called).then(() => true) : await condition(called, wait);
      if (!wasCalled && next?.of === 'poll') desk.pollWanted = true;
      if (!wasCalled && next?.of === 'allowance') desk.analyseWanted = true;
      continue;
    }
    work += 1;
    const [request] = desk.queue;
    if (request) {
      desk.queue.shift();
      shown.importing(request);
      await runImport(input, desk, request);
    } else if (desk.regroupWanted !== 'none') {
      const mode = desk.regroupWanted;
      desk.regroupWanted = 'none';
      shown.grouping();
      await regroup(input, desk, mode);
    } else if (desk.analyseWanted) {
      shown.analysing();
      await analyse(input, desk);
    } else {
      desk.pollWanted = false;
      const { request: poll } = await control.planPoll({ workspaceId: input.workspaceId, agentId: input.agentId });
      if (poll) {
        desk.took(poll);
        shown.importing(poll);
        const status = await runImport(input, desk, poll);
        desk.failedPolls = status === 'failed' ? desk.failedPolls + 1 : 0;
      }
      nextPollAtMs = timeOfNextPoll(every, desk);
    }
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof agentDesk>({ ...input, pollSeconds: pollSeconds(), carried: desk.carried() });
}

/** What the desk wakes up for by itself. */
function nextTurn(pollAtMs: number | null, heldUntilMs: number | null) {
  if (heldUntilMs !== null && (pollAtMs === null || heldUntilMs < pollAtMs)) {
    return { of: 'allowance', atMs: heldUntilMs } as const;
  }
  return pollAtMs === null ? null : ({ of: 'poll', atMs: pollAtMs } as const);
}

/** Polls that fail come at growing gaps, so that a revoked key is not knocked on every minute. */
function timeOfNextPoll(pollSeconds: number | null, { failedPolls }: DeskMessages): number | null {
  if (pollSeconds === null) return null;
  const gapSeconds = Math.max(
    pollSeconds,
    Math.min(pollSeconds * 2 ** Math.min(failedPolls, 12), LONGEST_POLL_GAP_SECONDS),
  );
  return Date.now() + gapSeconds * 1000;
}

async function runImport(input: DeskInput, desk: DeskMessages, request: ImportRequest): Promise<string> {
  const { agentId, workspaceId, agentName } = input;
  try {
    const result = await executeChild(importCalls, {
      args: [{ ...request, agentId, workspaceId, ...(agentName === undefined ? {} : { agentName }) }],
      workflowId: importWorkflowId(request.importId, request.attempt),
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      typedSearchAttributes: importAttributes(agentId, request.importId),
      staticSummary: `Import of calls of ${agentName ?? deskId(agentId)}`,
    });
    if (result.status === 'failed') desk.wantRegroup('incremental');
    else noteHeld(desk, result.heldUntil ?? null);
    desk.trouble = result.status === 'failed' ? `The last import failed: ${result.reason ?? 'no reason given'}` : null;
    return result.status;
  } catch (error) {
    if (isOurEnd(error)) throw error;
    const reason = sentenceOf(error);
    await control.finishImport({ ...request, workspaceId, status: 'failed', reason });
    desk.trouble = `The last import failed: ${reason}`;
    desk.wantRegroup('incremental');
    return 'failed';
  }
}

/** A grouping that fails is shown and comes again with the next one: the evidence stays. */
async function regroup(input: DeskInput, desk: DeskMessages, mode: 'incremental' | 'full'): Promise<void> {
  try {
    await analysis('issues of the agent').regroup({ workspaceId: input.workspaceId, agentId: input.agentId, mode });
  } catch (error) {
    if (isOurEnd(error)) throw error;
    desk.trouble = `The last grouping failed: ${sentenceOf(error)}`;
  }
}

/** An analysis that fails is shown, and comes again with the next import, the next hour's look or the next plan. */
async function analyse(input: DeskInput, desk: DeskMessages): Promise<void> {
  try {
    await analyseWaiting(input, desk);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    desk.trouble = `Calls that waited could not be analysed: ${sentenceOf(error)}`;
  }
}

/** The desk itself is cancelled; a child that was cancelled alone is no reason to end. */
function isOurEnd(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}
