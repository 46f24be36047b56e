import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { ALARM_SIGNALS, ALARMS_PROGRESS, type AlarmsInput, type AlarmsLook } from '../../src/temporal/alarms.ts';
import { analysis } from '../shared/activity-calls.ts';
import { clock } from '../shared/clock.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';
import { lookOrWait } from '../shared/look-or-wait.ts';

const LOOKS_OF_ONE_RUN = 200;
/** A clock that runs ahead of the database's looks again this late, and not at once. */
const SHORTEST_WAIT_MS = 1_000;

/** Looks at the alarms of an agent whenever a window is over, for as long as one is on. The record says which, and when. */
export async function alarmsOfAgent(input: AlarmsInput): Promise<void> {
  let moved = false;
  let words = 'Looks at the alarms';
  onSignal(defineSignal(ALARM_SIGNALS.moved), 'Looks at the alarms at once; there is no harm in it.', () => {
    moved = true;
  });
  onQuery(defineQuery(ALARMS_PROGRESS), 'What it waits for, in words.', () => ({ waitsFor: words }));

  for (let looks = 0; looks < LOOKS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; looks += 1) {
    moved = false;
    const look: AlarmsLook | null = await lookOrWait(
      () => analysis('alarms whose window is over').lookAtAlarms(input),
      () => moved,
    );
    if (look === null || moved) continue;
    if (look.nextMs === null) {
      await condition(allHandlersFinished);
      if (moved) continue;
      return;
    }
    words = `Waits until ${clock(look.nextMs, look.nowMs)}, when the next window is over`;
    setCurrentDetails(`**${words}**\n\n${look.alarms} alarms are on, ${look.ringing} of them ring.`);
    // By the database's clock, so that it does not matter when Temporal's or a worker's is wrong.
    const waitMs = Math.max(look.nextMs - look.nowMs, SHORTEST_WAIT_MS);
    await condition(() => moved, waitMs, { summary: 'until the next window is over' });
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof alarmsOfAgent>(input);
}
