import type { PlanResource } from '../../contract/plan.ts';
import type { EntityManager } from '../../db/database.ts';
import { countAgents, countAnalysedCalls, type WorkspacePlan } from '../../db/queries/plans.ts';
import { type Allowances, allowancesOf, periodOf } from '../../domain/limits/plans.ts';

export async function presentPlan(
  em: EntityManager,
  workspaceId: string,
  { plan, set, planSince, now }: WorkspacePlan,
): Promise<PlanResource> {
  const period = periodOf(plan, planSince, now);
  return {
    object: 'plan',
    plan,
    allowances: allowancesOf(plan, set),
    set: Object.keys(set) as (keyof Allowances)[],
    period: { startsAt: period.startsAt.toISOString(), endsAt: period.endsAt.toISOString() },
    used: {
      agents: await countAgents(em, workspaceId),
      analysedCalls: await countAnalysedCalls(em, workspaceId, period),
    },
  };
}
