import type { RunStatus } from '../../src/domain/vocabulary.ts';
import { finishRescore, finishRun } from '../../src/services/runs/finish-run.ts';
import type { RescoreInput, RunInput, RunOutcome } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** Ends of runs and of rescores; a document of many cells takes a while. */
export function createFinishRun({ database }: ActivityDeps) {
  return {
    async finishRun(
      request: RunInput & { outcome: RunOutcome },
    ): Promise<{ status: RunStatus; message: string | null }> {
      return withHeartbeat(
        () => ({ runId: request.runId }),
        () => finishRun(database.within(request.workspaceId), request),
      );
    },

    async finishRescore(request: RescoreInput & { failed: string | null }): Promise<void> {
      await withHeartbeat(
        () => ({ runId: request.runId }),
        () => finishRescore(database.within(request.workspaceId), request),
      );
    },
  };
}
