import { allHandlersFinished, condition, continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import type { AccountRequest } from '../../activities/poll-account/poll-account.ts';
import type { AccountLook, PollerInput } from '../../src/temporal/account-poller.ts';
import { analysis } from '../shared/activity-calls.ts';
import { failureMessage, isOurEnd } from '../shared/failure-message.ts';
import { nextLookBack, takeLookBack } from './look-back.ts';
import { listenToPoller, type PollerState } from './messages.ts';
import { nextLookAtMs, offsetOf, takeLook } from './next-look.ts';
import { showPoller } from './progress.ts';

/** Looks in one execution before it continues as new. */
const LOOKS_OF_ONE_RUN = 200;
const MESSAGES_OF_ONE_RUN = 1_000;
/** Between these the list is read only as far as something may have changed. */
const WHOLE_EVERY_MS = 900_000;

/**
 * One poller a platform account, for as long as its connection has agents: one look at an interval for all of them.
 * What the looks find is in the record; here is only when the next one comes.
 */
export async function accountPoller(input: PollerInput): Promise<void> {
  const state = listenToPoller(input);
  const shown = showPoller(state);
  for (let looks = 0; !isTired(looks, state); looks += 1) {
    shown.now();
    await untilDue(state, looks);
    if (isTired(looks, state)) break;
    state.pollWanted = false;
    const startedMs = Date.now();
    const isWhole = startedMs - state.lastWholeMs >= WHOLE_EVERY_MS;
    const lookBack = nextLookBack(state, startedMs);
    const look = await lookAt(input, state, { isWhole, lookBack });
    if (look?.there === false) return;
    const offsetMs = patched('polls keep their time') ? offsetOf(input.connectionId) : null;
    takeLook(state, { look, startedMs, isWhole, offsetMs });
    takeLookBack(state, { look, lookBack, startedMs });
  }
  await condition(allHandlersFinished);
  const { workspaceId, connectionId, platform } = input;
  return continueAsNew<typeof accountPoller>({
    workspaceId,
    connectionId,
    ...(platform === undefined ? {} : { platform }),
    pollSeconds: state.pollSeconds,
    carried: state.carried(),
  });
}

const isTired = (looks: number, { messages }: PollerState) =>
  workflowInfo().continueAsNewSuggested || looks >= LOOKS_OF_ONE_RUN || messages >= MESSAGES_OF_ONE_RUN;

async function untilDue(state: PollerState, looks: number): Promise<void> {
  for (;;) {
    const atMs = nextLookAtMs(state, Date.now());
    const isOther = () => isTired(looks, state) || nextLookAtMs(state, Date.now()) !== atMs;
    if (atMs === null) await condition(isOther);
    else if (atMs > Date.now()) await condition(isOther, atMs - Date.now(), { summary: 'until the next poll' });
    else return;
    if (isTired(looks, state)) return;
  }
}

/** Null where it failed. */
async function lookAt(
  { workspaceId, connectionId }: PollerInput,
  state: PollerState,
  how: Pick<AccountRequest, 'isWhole' | 'lookBack'>,
): Promise<AccountLook | null> {
  const request = { workspaceId, connectionId, ...how, hasFailed: state.failedPolls > 0 };
  try {
    return await analysis('new calls of the account').pollAccount(request);
  } catch (error) {
    if (isOurEnd(error)) throw error;
    state.trouble = `The last look failed: ${failureMessage(error, 'look')}`;
    return null;
  }
}
