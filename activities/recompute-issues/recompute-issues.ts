import { refreshComparisons } from '../../src/db/comparisons/comparisons.ts';
import { settleIntents } from '../../src/db/intents/settle-intents.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { startDemoBacktests } from '../../src/operations/setup/start-demo-backtests.ts';
import { reviewCallers } from '../../src/services/analysis/review-callers.ts';
import { reviewCosts } from '../../src/services/analysis/review-costs.ts';
import { type RecomputeResult, recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import type { RegroupMode } from '../../src/temporal/agent-coordinator.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { embedWith } from './embed-requests.ts';

/**
 * Brings an agent's intents, what calls say of its other calls, its issues and its comparisons to what its
 * analysed calls say. A second run changes nothing.
 */
export function createRecomputeIssues({ database, models }: ActivityDeps) {
  return async function regroup(request: {
    workspaceId: string;
    agentId: string;
    mode: RegroupMode;
  }): Promise<RecomputeResult> {
    const { workspaceId, agentId, mode } = request;
    return withHeartbeat(
      () => ({ mode }),
      async () => {
        await settleIntents(database.within(workspaceId), { workspaceId, agentId }, embedWith(models.embedder));
        // Before the callers, who are listed by whatever is stored.
        await reviewCosts(database.within(workspaceId), { workspaceId, agentId });
        await reviewCallers(database.within(workspaceId), { workspaceId, agentId });
        const result = await recomputeIssues(database.within(workspaceId), agentId, mode);
        await refreshComparisons(database.within(workspaceId), CATALOGUE, { workspaceId, agentId });
        await startDemoBacktests(database.within(workspaceId), agentId);
        return result;
      },
    );
  };
}
