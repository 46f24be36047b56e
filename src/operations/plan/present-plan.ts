import type { PlanResource } from '../../contract/plan.ts';
import type { EntityManager } from '../../db/database.ts';
import { readCallAllowance } from '../../db/limits/allowance.ts';
import { countAgents } from '../../db/limits/plans.ts';
import { readAiUsage } from '../../db/models/model-usage.ts';
import { usedTestCalls } from '../../db/runs/budgets.ts';
import { readPlan } from '../../db/system/plans.ts';
import { keysOf } from '../../domain/keys-of.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import { allowancesOf } from '../../domain/limits/plans.ts';

export async function presentPlan(em: EntityManager, workspaceId: string): Promise<PlanResource> {
  const { plan, set } = await readPlan(em, workspaceId, false);
  const { period, used } = await readCallAllowance(em, workspaceId);
  const ai = await readAiUsage(em, workspaceId);
  return {
    object: 'plan',
    plan,
    allowances: allowancesOf(plan, set),
    set: keysOf(set),
    period: { startsAt: period.startsAt.toISOString(), endsAt: period.endsAt.toISOString() },
    used: {
      agents: await countAgents(em, workspaceId),
      analysedCalls: used,
      testCalls: await usedTestCalls(em, workspaceId, period.startsAt.toISOString()),
      aiUsd: usdOfNano(ai.nanoUsd),
      aiUnpriced: ai.unpriced,
    },
  };
}
