import {
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { REPEATS } from '../../src/domain/runs/combine.ts';
import { type AttemptKey, CELLS_DONE, type CellToPlay, type PlayCellsInput } from '../../src/temporal/run-tests.ts';
import { control, conversation, models } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';

/** The run hears of this many steps of a part's progress, however many cells it has. */
const STEPS_TOLD = 10;

/** The cells of one part, side by side: each attempt is played, then scored, until the score says that the cell is done. */
export async function playCells(input: PlayCellsInput): Promise<void> {
  const { workspaceId, agentId, runId, part, from, to } = input;
  const run = { workspaceId, agentId, runId };
  const cells = await control.cellsOfPart({ ...run, from, to });
  const tell = tellRun(input, cells.length);
  let left = cells.length;
  await allEnded(
    cells.map(async (cell) => {
      await playCell(input, cell);
      left -= 1;
      await tell(cells.length - left);
    }),
  );
  if (workflowInfo().continueAsNewSuggested) {
    const again = await control.cellsOfPart({ ...run, from, to });
    if (again.length > 0) return continueAsNew<typeof playCells>(input);
  }
  setCurrentDetails(`**Part ${part + 1}: all ${cells.length} cells are complete**`);
}

async function playCell(input: PlayCellsInput, cell: CellToPlay): Promise<void> {
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

/** Waits for all, also where one fails: nothing goes on behind the back of what comes next. @throws what failed first */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(works);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

async function playOnce(key: AttemptKey): Promise<'done' | 'another'> {
  await conversation(`attempt ${key.attempt}`).playAttempt(key);
  const { cell } = await models(`score of attempt ${key.attempt}`).scoreAttempt(key);
  return cell;
}

/** Tells the run now and then; one that is gone needs no telling. */
function tellRun({ part }: PlayCellsInput, total: number): (done: number) => Promise<void> {
  const { parent } = workflowInfo();
  const every = Math.max(1, Math.ceil(total / STEPS_TOLD));
  let told = 0;
  return async (done) => {
    setCurrentDetails(`**Part ${part + 1}: ${done} of ${total} cells complete**`);
    if (!parent || (done < total && done - told < every)) return;
    told = done;
    try {
      await getExternalWorkflowHandle(parent.workflowId, parent.runId).signal(CELLS_DONE, { part, done });
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  };
}
