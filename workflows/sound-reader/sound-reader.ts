import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { SOUND_SIGNALS, type SoundCounts, type SoundReaderInput } from '../../src/temporal/sound-reader.ts';
import { analysis, control, sound } from '../shared/activity-calls.ts';
import { clock } from '../shared/clock.ts';
import { onSignal } from '../shared/handlers.ts';

/** Calls that are analysed with what was heard, at a time. */
const CALLS_OF_A_ROUND = 20;
const ROUNDS_OF_ONE_RUN = 20;
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Hears the recordings of an agent's calls, newest first, has the calls analysed with what was heard, and ends when none
 * is left. What the record said is there long before, and nothing waits for this.
 */
export async function soundReader(input: SoundReaderInput): Promise<void> {
  const { workspaceId, agentId } = input;
  const counts: SoundCounts = { ...(input.carried ?? { heard: 0, unheard: 0 }) };
  let woken = false;
  let hurried = false;
  onSignal(defineSignal(SOUND_SIGNALS.wake), 'More calls have recordings to be heard.', () => {
    woken = true;
  });
  onSignal(defineSignal(SOUND_SIGNALS.tryNow), 'Ends the present wait and tries again at once.', () => {
    hurried = true;
  });

  for (let round = 0; round < ROUNDS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; round += 1) {
    woken = false;
    show(counts, null);
    const { callIds, waitMs } = await control.openSounds({
      workspaceId,
      agentId,
      limit: CALLS_OF_A_ROUND,
      isChanged: counts.heard > 0,
    });
    if (callIds.length === 0 && waitMs === null) {
      if (woken) continue;
      return show(counts, 'ended');
    }
    const heard: string[] = [];
    let wait = callIds.length === 0 ? { reason: 'a recording that could not be fetched', retryMs: waitMs ?? 0 } : null;
    for (const callId of callIds) {
      const outcome = await sound('one recording').hearRecording({ workspaceId, agentId, callId });
      if (outcome.state === 'heard') heard.push(callId);
      if (outcome.state === 'unheard') counts.unheard += 1;
      if (outcome.state === 'waits') {
        wait = outcome;
        break;
      }
    }
    counts.heard += heard.length;
    if (heard.length > 0) {
      await analysis('calls with what was heard').analyseCalls({ workspaceId, agentId, callIds: heard });
    }
    if (wait === null) continue;
    const ms = Math.min(Math.max(1_000, wait.retryMs), LONGEST_WAIT_MS);
    show(counts, `waits for ${wait.reason}; next try at ${clock(Date.now() + ms, Date.now())}`);
    hurried = false;
    // Calls that came meanwhile have recordings that are there.
    await condition(() => hurried || (woken && callIds.length === 0), ms, {
      summary: 'until the platform is asked again',
    });
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof soundReader>({ ...input, carried: counts });
}

function show({ heard, unheard }: SoundCounts, state: string | null): void {
  const stage = state === null ? 'reading' : state === 'ended' ? 'complete' : 'waiting';
  upsertSearchAttributes([attribute('EarshotStage', stage)]);
  const headline = state === null ? 'Hears recordings' : state === 'ended' ? 'Complete' : state;
  setCurrentDetails(
    `**${headline.replaceAll(/[`*_[\]<>#\n]/g, ' ')}**\n\n${heard} recordings heard, ${unheard} calls without one that can be heard`,
  );
}
