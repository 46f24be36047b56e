import { publishRunProgress } from '../../src/db/events/events.ts';
import { countCells } from '../../src/db/runs/rescores.ts';
import { attemptsToRescore, cellsToPlay, endCell } from '../../src/db/runs/run-cells.ts';
import { abandonRun } from '../../src/services/runs/finish-run.ts';
import { planRun } from '../../src/services/runs/plan-run.ts';
import type {
  AttemptKey,
  CellKey,
  CellToPlay,
  PlanRequest,
  RescoreInput,
  RunInput,
  RunPlan,
} from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';

export interface PartRequest extends RunInput {
  from: number;
  to: number;
}

/** What the record says of runs, and what they write into it about themselves: short, each safe to repeat. */
export function createRunRecord({ database }: ActivityDeps) {
  return {
    /** Reserves what the run may cost, or says what it waits for, or why it ends. */
    async planRun(request: PlanRequest): Promise<RunPlan> {
      return planRun(database.within(request.workspaceId), request);
    },

    /** The cells of one part that have no result yet. */
    async cellsOfPart({ workspaceId, runId, from, to }: PartRequest): Promise<CellToPlay[]> {
      return cellsToPlay(database.within(workspaceId), runId, from, to);
    },

    /** The next attempts of a rescore, in their order: of those that began before windows of cells. */
    async attemptsOfRescore(
      request: RescoreInput & { afterId: string | null; limit: number },
    ): Promise<(AttemptKey & { id: string })[]> {
      const { workspaceId, runId, afterId, limit } = request;
      return attemptsToRescore(database.within(workspaceId), runId, afterId, limit);
    },

    /** How many cells a run has, to be scored again in windows. */
    async cellsToRescore({ workspaceId, runId }: RescoreInput): Promise<{ cells: number }> {
      return { cells: await countCells(database.within(workspaceId), runId) };
    },

    /** Ends a run whose result can't be written. */
    async abandonRun(request: RunInput & { message: string }) {
      return abandonRun(database.within(request.workspaceId), request);
    },

    /** A cell whose attempt fell over a fault of ours ends in an error with its sentence; the others go on. */
    async failCell({ workspaceId, agentId, runId, reason, ...cell }: RunInput & CellKey & { reason: string }) {
      await database.within(workspaceId).transactional(async (tx) => {
        if (!(await endCell(tx, runId, cell, { result: 'error', k: 0, n: 0, reason }))) return;
        await publishRunProgress(tx, agentId, runId);
      });
    },
  };
}
