import {
  continueAsNew,
  getExternalWorkflowHandle,
  isCancellation,
  patched,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { allEnded } from '../../src/temporal/all-ended.ts';
import { CELLS_DONE, CELLS_OF_A_WINDOW, type CellToPlay, type PlayCellsInput } from '../../src/temporal/run-tests.ts';
import { control, manyConversations } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { playCellAlone } from './one-by-one.ts';

/** The run hears of this many steps of a part's progress, however many cells it has. */
const STEPS_TOLD = 10;

/** The cells of one part, side by side: each attempt is played, then scored, until the score says that the cell is done. */
export async function playCells(input: PlayCellsInput): Promise<void> {
  const { workspaceId, agentId, runId, part, from, to } = input;
  const run = { workspaceId, agentId, runId };
  const cells = await control.cellsOfPart({ ...run, from, to });
  const tell = tellRun(input, cells.length);
  let left = cells.length;
  const pieces = patched('windows of cells to play')
    ? windowsOf(cells).map((window) => ({ size: window.length, played: playWindow(input, window) }))
    : cells.map((cell) => ({ size: 1, played: playCellAlone(input, cell) }));
  await allEnded(
    pieces.map(async ({ size, played }) => {
      await played;
      left -= size;
      await tell(cells.length - left);
    }),
  );
  if (workflowInfo().continueAsNewSuggested) {
    const again = await control.cellsOfPart({ ...run, from, to });
    if (again.length > 0) return continueAsNew<typeof playCells>(input);
  }
  setCurrentDetails(`**Part ${part + 1}: all ${cells.length} cells are complete**`);
}

function windowsOf(cells: readonly CellToPlay[]): CellToPlay[][] {
  const windows: CellToPlay[][] = [];
  for (let at = 0; at < cells.length; at += CELLS_OF_A_WINDOW) windows.push(cells.slice(at, at + CELLS_OF_A_WINDOW));
  return windows;
}

/** A window that fails for good ends those of its cells in an error that have no result by then. */
async function playWindow({ workspaceId, agentId, runId, atOnce }: PlayCellsInput, cells: CellToPlay[]): Promise<void> {
  const run = { workspaceId, agentId, runId };
  const summary = cells.length === 1 ? 'one cell' : `${cells.length} cells`;
  try {
    await manyConversations(summary).playWindow({ ...run, atOnce, cells });
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = failureMessage(error, 'run');
    await allEnded(cells.map(({ testId, persona }) => control.failCell({ ...run, testId, persona, reason })));
  }
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
