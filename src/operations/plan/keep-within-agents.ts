import type { EntityManager } from '../../db/database.ts';
import { countAgents } from '../../db/limits/plans.ts';
import { readPlan } from '../../db/system/plans.ts';
import { allowancesOf } from '../../domain/limits/plans.ts';
import { quotaExceeded } from './quota-exceeded.ts';

/**
 * Called after an agent was connected, in the same transaction: the workspace is held from here to its end, so that
 * two connections at once do not both take the last place. @throws Failure `quota_exceeded`
 */
export async function keepWithinAgents(em: EntityManager, workspaceId: string): Promise<void> {
  const { plan, set } = await readPlan(em, workspaceId, true);
  const { agents: limit } = allowancesOf(plan, set);
  if (limit === null) return;
  const used = (await countAgents(em, workspaceId)) - 1;
  if (used >= limit) {
    const message = `Your plan includes ${limit} ${limit === 1 ? 'agent' : 'agents'}, and ${used} ${used === 1 ? 'is' : 'are'} connected.`;
    throw quotaExceeded(message, { metric: 'agents', limit, used, plan });
  }
}
