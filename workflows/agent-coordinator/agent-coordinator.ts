import { allHandlersFinished, condition, makeContinueAsNewFunc, patched } from '@temporalio/workflow';
import { AGENT_COORDINATOR, type CoordinatorInput } from '../../src/temporal/agent-coordinator.ts';
import { coordinatorAttributes } from '../../src/temporal/search-attributes.ts';
import { isSameWait, nextStep, type Standing, type Step, type Wait } from './lanes.ts';
import { type CoordinatorState, listenForMessages } from './messages.ts';
import { coordinateOneLane } from './one-lane.ts';
import { beginImport, lookAfter } from './open-imports.ts';
import { showCoordinator } from './progress.ts';
import { analyse, isTiredAfter, lookForNews, regroup } from './steps.ts';

const SUMMARIES = {
  poll: 'until the next poll',
  allowance: 'until the allowance turns',
  look: 'until an import is asked after',
} as const;

/** One coordinator an agent, for as long as the agent is there: a mailbox, which takes messages at any time. */
export async function agentCoordinator(input: CoordinatorInput): Promise<void> {
  const state = listenForMessages(input.carried);
  await (patched('two lanes') ? coordinateLanes(input, state) : coordinateOneLane(input, state));
  await condition(allHandlersFinished);
  // Also one that began under an earlier name goes on under the present one, and with its attributes.
  const goOn = makeContinueAsNewFunc<typeof agentCoordinator>({
    workflowType: AGENT_COORDINATOR,
    typedSearchAttributes: coordinatorAttributes(input.agentId),
  });
  const polledByAccount = isPolledByAccount(input, state);
  return goOn({
    ...input,
    pollSeconds: pollSecondsOf(input, state),
    ...(polledByAccount === undefined ? {} : { polledByAccount }),
    carried: state.carried(),
  });
}

const pollSecondsOf = (input: CoordinatorInput, { pollSeconds }: CoordinatorState) =>
  pollSeconds === undefined ? input.pollSeconds : pollSeconds;

const isPolledByAccount = (input: CoordinatorInput, state: CoordinatorState) =>
  state.polledByAccount ?? input.polledByAccount;

/** Imports run beside the coordinator, which does what is its own, one step after the other, until it is tired. */
async function coordinateLanes(input: CoordinatorInput, state: CoordinatorState): Promise<void> {
  const standing = (): Standing => ({
    ...state,
    pollSeconds: pollSecondsOf(input, state),
    polledByAccount: isPolledByAccount(input, state) === true,
    nowMs: Date.now(),
  });
  const shown = showCoordinator(state, standing);
  let work = 0;
  const isTired = () => isTiredAfter(work, state);
  while (!isTired()) {
    const step = nextStep(standing());
    shown.now(step);
    if (step.do === 'wait') {
      const { changes } = state;
      const isOther = () => state.changes !== changes || !isSameWait(nextStep(standing()), step);
      await untilOther(step, () => isTired() || isOther());
    } else {
      work += 1;
      await take(input, state, step, standing);
    }
  }
}

async function untilOther({ untilMs, until }: Wait, isOther: () => boolean): Promise<void> {
  if (untilMs === null || until === null) await condition(isOther);
  else await condition(isOther, Math.max(1, untilMs - Date.now()), { summary: SUMMARIES[until] });
}

async function take(
  input: CoordinatorInput,
  state: CoordinatorState,
  step: Exclude<Step, Wait>,
  standing: () => Standing,
): Promise<void> {
  switch (step.do) {
    case 'import': {
      const [request] = state.queue.splice(step.at, 1);
      if (request) await beginImport(input, state, { lane: step.lane, request, isPoll: false });
      return;
    }
    case 'look':
      return lookAfter(input, state, step.lane);
    case 'group':
      state.regroupWanted = 'none';
      return regroup(input, state, step.mode);
    case 'poll':
      return poll(input, state);
    case 'analyse': {
      const others = () => nextStep({ ...standing(), analyseWanted: false, heldUntilMs: null });
      // Where it fails it is not tried again at once.
      state.heldUntilMs = null;
      return analyse(input, state, () => others().do !== 'wait');
    }
    default:
      return step satisfies never;
  }
}

/** One look at the platform, and an import in the live lane where something is new. */
async function poll(input: CoordinatorInput, state: CoordinatorState): Promise<void> {
  state.pollWanted = false;
  const found = await lookForNews(input, state);
  state.lastPollMs = Date.now();
  if (found === 'failed') state.failedPolls += 1;
  if (found === 'failed' || found === null) return;
  for (const { importId, stored, analysed, waitsFor } of found.open ?? []) {
    const { backfill } = state.open;
    if (backfill?.importId === importId) Object.assign(backfill, { counts: { stored, analysed }, waitsFor });
  }
  const { request, versionsTaken } = found;
  if (request) {
    state.took(request);
    await beginImport(input, state, { lane: 'live', request: { ...request, versionsTaken }, isPoll: true });
  } else state.failedPolls = 0;
}
