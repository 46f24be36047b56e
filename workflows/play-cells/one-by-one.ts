import { isCancellation } from '@temporalio/workflow';
import { REPEATS } from '../../src/domain/runs/combine.ts';
import { allEnded } from '../../src/temporal/all-ended.ts';
import type { AttemptKey, CellToPlay, PlayCellsInput } from '../../src/temporal/run-tests.ts';
import { control, conversation, models } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';

/** As cells are played of parts that began before windows of cells: two activities for each attempt. */
export async function playCellAlone(input: PlayCellsInput, cell: CellToPlay): Promise<void> {
  const { workspaceId, agentId, runId } = input;
  const { testId, persona, firstAttempt } = cell;
  const key = { workspaceId, agentId, runId, testId, persona };
  try {
    if (input.atOnce > 1) {
      await allEnded(Array.from({ length: REPEATS }, (_, at) => playOnce({ ...key, attempt: firstAttempt + at })));
      return;
    }
    for (let attempt = firstAttempt; attempt < firstAttempt + REPEATS; attempt += 1) {
      if ((await playOnce({ ...key, attempt })) === 'done') return;
    }
  } catch (error) {
    if (isCancellation(error)) throw error;
    await control.failCell({ ...key, reason: failureMessage(error, 'run') });
  }
}

async function playOnce(key: AttemptKey): Promise<'done' | 'another'> {
  await conversation(`attempt ${key.attempt}`).playAttempt(key);
  const { cell } = await models(`score of attempt ${key.attempt}`).scoreAttempt(key);
  return cell;
}
