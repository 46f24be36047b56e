import { workflowInfo } from '@temporalio/workflow';
import type { PollLook } from '../../activities/import-calls/look-for-calls.ts';
import type { CoordinatorInput, RegroupMode } from '../../src/temporal/agent-coordinator.ts';
import { analysis } from '../shared/activity-calls.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { analyseWaiting, noteHeld } from './analyse-waiting.ts';
import type { CoordinatorState } from './messages.ts';

/** Pieces of work, or messages, of one execution before it continues as new. */
const WORK_OF_ONE_RUN = 100;
const MESSAGES_OF_ONE_RUN = 1_000;

/** A live import is soon over, and Temporal tells only the execution that began it how it ended: that is waited for. */
export const isTiredAfter = (work: number, { messages, open }: CoordinatorState) =>
  workflowInfo().continueAsNewSuggested ||
  messages >= MESSAGES_OF_ONE_RUN ||
  (work >= WORK_OF_ONE_RUN && open.live === null);

/** One look at the platform, which is the whole poll where nothing is new. */
export async function lookForNews(
  { workspaceId, agentId }: CoordinatorInput,
  state: CoordinatorState,
): Promise<PollLook | null | 'failed'> {
  try {
    const found = await analysis('new calls').lookForCalls({ workspaceId, agentId });
    if (found === null || found.request) return found;
    state.trouble = null;
    noteHeld(state, found.heldUntil);
    return found;
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `The last poll failed: ${failureMessage(error, 'look')}`;
    return 'failed';
  }
}

/** A grouping that fails is shown and comes again with the next one: the evidence stays. */
export async function regroup(
  { workspaceId, agentId }: CoordinatorInput,
  state: CoordinatorState,
  mode: RegroupMode,
): Promise<void> {
  try {
    await analysis('issues of the agent').regroup({ workspaceId, agentId, mode });
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `The last grouping failed: ${failureMessage(error)}`;
  }
}

/**
 * An analysis that fails is shown, and comes again with the next import, the next hour's look or the next plan.
 * @param isCalled whether the coordinator has something else to do
 */
export async function analyse(
  input: CoordinatorInput,
  state: CoordinatorState,
  isCalled: () => boolean,
): Promise<void> {
  try {
    await analyseWaiting(input, state, isCalled);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `Calls that waited could not be analysed: ${failureMessage(error)}`;
  }
}
