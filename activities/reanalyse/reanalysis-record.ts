import { moveReanalysis } from '../../src/db/reanalyses/reanalyses.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ReanalysisRequest } from './reanalysis.ts';

/** How a re-analysis ends in the record. */
export function createReanalysisProgress({ database }: ActivityDeps) {
  return {
    async finishReanalysis({ workspaceId, reanalysisId }: ReanalysisRequest): Promise<void> {
      await moveReanalysis(database.within(workspaceId), reanalysisId, ['applying'], 'applied');
    },
    /** What was read but not switched on stays, so that switching on can be taken up again. */
    async failReanalysis({ workspaceId, reanalysisId, reason }: ReanalysisRequest & { reason: string }): Promise<void> {
      const em = database.within(workspaceId);
      const wasApplying = await moveReanalysis(em, reanalysisId, ['applying'], 'reported', reason);
      if (!wasApplying) await moveReanalysis(em, reanalysisId, ['queued', 'reading'], 'failed', reason);
    },
  };
}
