import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  patched,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { allEnded } from '../../src/temporal/all-ended.ts';
import type { RescoreInput } from '../../src/temporal/run-tests.ts';
import { analysis, control, manyQuestions } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { scoreOneByOne } from './one-by-one.ts';

/** Cells of one activity. */
const WINDOW = 25;
/** Windows at once: together they hold more questions than a worker has slots, so that none of these waits. */
const AT_ONCE = 4;

/** Scores every stored attempt of a run again, without one call, and puts the new result in the place of the old one. */
export async function rescoreRun(input: RescoreInput): Promise<void> {
  let failed: string | null = input.ended ?? null;
  try {
    if (failed === null) await (patched('windows of cells') ? scoreWindows(input) : scoreOneByOne(input));
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

/** Some windows side by side; the next begins when one ends. A window that fails ends the rescore once the others are done. */
async function scoreWindows(input: RescoreInput): Promise<void> {
  const { cells } = await control.cellsToRescore(input);
  let { from = 0, scored = 0 } = input.carried ?? {};
  const goesOn = () => from < cells && !workflowInfo().continueAsNewSuggested;
  const scoreNext = async () => {
    while (goesOn()) {
      const window = { ...input, from, to: from + WINDOW };
      from = window.to;
      const done = await manyQuestions(`cells from ${window.from + 1}`).rescoreCells(window);
      scored += done.scored;
      setCurrentDetails(`**${scored} attempts scored again**\n\nThe result so far is served until all of them are.`);
    }
  };
  await allEnded(Array.from({ length: AT_ONCE }, scoreNext));
  if (from < cells) await continueAsNew<typeof rescoreRun>({ ...input, carried: { from, scored } });
}
