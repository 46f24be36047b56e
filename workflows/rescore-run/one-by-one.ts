import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { RescoreInput } from '../../src/temporal/run-tests.ts';
import { control, models } from '../shared/activity-calls.ts';

/** Attempts of one window: scored side by side, the next window after them. */
const WINDOW = 50;

/** As rescores went on that began before windows of cells: an activity for each attempt. */
export async function scoreOneByOne(input: RescoreInput): Promise<void> {
  let scored = input.carried?.scored ?? 0;
  for (let afterId = input.carried?.afterId ?? null; ; ) {
    const window = await control.attemptsOfRescore({ ...input, afterId, limit: WINDOW });
    await Promise.all(
      window.map(({ id: _, ...key }) =>
        models(`score of attempt ${key.attempt}`).scoreAttempt({ ...key, rescore: input.nth }),
      ),
    );
    scored += window.length;
    setCurrentDetails(`**${scored} attempts scored again**\n\nThe result so far is served until all of them are.`);
    afterId = window.at(-1)?.id ?? null;
    if (window.length < WINDOW || afterId === null) return;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(input: RescoreInput) => Promise<void>>({ ...input, carried: { afterId, scored } });
    }
  }
}
