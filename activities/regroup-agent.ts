import { refreshComparisons } from '../src/db/queries/comparisons.ts';
import { regroupAgent } from '../src/db/queries/regroup-agent.ts';
import { reviewCallers } from '../src/db/queries/review-callers.ts';
import { reviewCosts } from '../src/db/queries/review-costs.ts';
import { settleIntents } from '../src/db/queries/settle-intents.ts';
import { CATALOGUE } from '../src/domain/signals/catalogue.ts';
import type { RegroupMode } from '../src/durable/desk.ts';
import type { ActivityDeps } from './deps.ts';
import { embedWith } from './embed-requests.ts';
import { whileBeating } from './heart.ts';

export interface RegroupResult {
  issues: number;
  changed: number;
  withdrawn: number;
}

/**
 * Brings an agent's intents, what calls say of its other calls, its issues and its comparisons to what its
 * analysed calls say. A second run changes nothing.
 */
export function createRegroupAgent({ database, models }: ActivityDeps) {
  return async function regroup(request: {
    workspaceId: string;
    agentId: string;
    mode: RegroupMode;
  }): Promise<RegroupResult> {
    const { workspaceId, agentId, mode } = request;
    return whileBeating(
      () => ({ mode }),
      async () => {
        await settleIntents(database.within(workspaceId), { workspaceId, agentId }, embedWith(models.embedder));
        // Before the callers, who are listed by whatever is stored.
        await reviewCosts(database.within(workspaceId), { workspaceId, agentId });
        await reviewCallers(database.within(workspaceId), { workspaceId, agentId });
        const result = await regroupAgent(database.within(workspaceId), agentId, mode);
        await refreshComparisons(database.within(workspaceId), CATALOGUE, { workspaceId, agentId });
        return result;
      },
    );
  };
}
