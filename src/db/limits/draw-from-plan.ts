import { type Allowances, allowancesOf, periodOf } from '../../domain/limits/plans.ts';
import type { Plan } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { readPlan } from '../system/plans.ts';

/** What is drawn before the work begins; analysed calls are drawn with it. */
export type DrawnAllowance = keyof Allowances & ('testCalls' | 'copilotMessages');

/** What the plan has of one allowance in its present period. */
export interface PlanStanding {
  /** Null: unlimited. */
  limit: number | null;
  used: number;
  plan: Plan;
}

/**
 * Draws from the plan, all or nothing. The workspace is held until the transaction ends, so that two who draw at once
 * can't both take what is left.
 * @returns what the plan has, where it does not cover them.
 */
export async function drawFromPlan(
  em: EntityManager,
  workspaceId: string,
  what: DrawnAllowance,
  amount: number,
): Promise<{ drawn: false; plan: PlanStanding } | { drawn: true; countedIn: string[] }> {
  const { plan, set, planSince, now } = await readPlan(em, workspaceId, true);
  const limit = allowancesOf(plan, set)[what];
  const period = periodOf(plan, planSince, now).startsAt.toISOString();
  const month = periodOf('free_org', planSince, now).startsAt.toISOString();
  const countedIn = [...new Set([period, month])].sort();
  const used = await usedOfPlan(em, workspaceId, what, period);
  if (limit !== null && used + amount > limit) return { drawn: false, plan: { limit, used, plan } };
  await db(em)
    .insertInto('plan_usage')
    .values(countedIn.map((startsAt) => ({ workspaceId, startsAt, [what]: amount })))
    .onConflict((conflict) =>
      conflict
        .columns(['workspaceId', 'startsAt'])
        .doUpdateSet((eb) => ({ [what]: eb(`plan_usage.${what}`, '+', eb.ref(`excluded.${what}`)) })),
    )
    .execute();
  return { drawn: true, countedIn };
}

/** What is counted in a period. @param startsAt ISO 8601 */
export async function usedOfPlan(
  em: EntityManager,
  workspaceId: string,
  what: DrawnAllowance,
  startsAt: string,
): Promise<number> {
  const usage = await db(em)
    .selectFrom('plan_usage')
    .where('workspaceId', '=', workspaceId)
    .where('startsAt', '=', startsAt)
    .select(what)
    .executeTakeFirst();
  return usage?.[what] ?? 0;
}

export async function readPlanStanding(
  em: EntityManager,
  workspaceId: string,
  what: DrawnAllowance,
): Promise<PlanStanding> {
  const { plan, set, planSince, now } = await readPlan(em, workspaceId, false);
  const startsAt = periodOf(plan, planSince, now).startsAt.toISOString();
  return { plan, limit: allowancesOf(plan, set)[what], used: await usedOfPlan(em, workspaceId, what, startsAt) };
}
