import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { RescoreInput } from '../../src/temporal/run-tests.ts';
import { analysis, control, models } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';

/** Attempts of one window: scored side by side, the next window after them. */
const WINDOW = 50;

/** Scores every stored attempt of a run again, without one call, and puts the new result in the place of the old one. */
export async function rescoreRun(input: RescoreInput): Promise<void> {
  let failed: string | null = input.ended ?? null;
  try {
    let scored = input.carried?.scored ?? 0;
    for (let afterId = input.carried?.afterId ?? null; failed === null; ) {
      const window = await control.attemptsOfRescore({ ...input, afterId, limit: WINDOW });
      await Promise.all(
        window.map(({ id: _, ...key }) =>
          models(`score of attempt ${key.attempt}`).scoreAttempt({ ...key, rescore: input.nth }),
        ),
      );
      scored += window.length;
      setCurrentDetails(`**${scored} attempts scored again**\n\nThe result so far is served until all of them are.`);
      afterId = window.at(-1)?.id ?? null;
      if (window.length < WINDOW || afterId === null) break;
      if (workflowInfo().continueAsNewSuggested) {
        return await continueAsNew<typeof rescoreRun>({ ...input, carried: { afterId, scored } });
      }
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    failed = isCancellation(error) ? 'Cancelled in Temporal.' : failureMessage(error, 'rescore');
  }
  await CancellationScope.nonCancellable(async () => {
    try {
      await analysis('the new result').finishRescore({ ...input, failed });
    } catch (error) {
      failed = failureMessage(error, 'rescore');
      await analysis('the old result').finishRescore({ ...input, failed });
    }
  });
  setCurrentDetails(failed === null ? '**Scored again**' : `**Ended without a new result: ${failed}**`);
}
