import type { SetAllowances } from '../../domain/limits/plans.ts';
import type { Plan } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';

export interface WorkspacePlan {
  plan: Plan;
  set: SetAllowances;
  planSince: Date;
  /** The database's clock, by which periods are told. */
  now: Date;
}

/** @param lock holds the workspace until the transaction ends, so that what is counted against the plan stays counted. */
export async function readPlan(em: EntityManager, workspaceId: string, lock: boolean): Promise<WorkspacePlan> {
  const { planSince, at, ...row } = await db(em)
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['plan', 'allowances as set', 'planSince', now.as('at')])
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow();
  return { ...row, planSince: new Date(planSince), now: new Date(at) };
}

/** Billing periods are counted anew from the moment at which the plan changes. */
export async function writePlan(
  em: EntityManager,
  workspaceId: string,
  to: { plan: Plan; set: SetAllowances },
): Promise<void> {
  const { plan, set } = to;
  await db(em)
    .updateTable('workspaces')
    .where('id', '=', workspaceId)
    .set((eb) => ({
      planSince: eb.case().when('plan', '=', plan).then(eb.ref('planSince')).else(now).end(),
      plan,
      allowances: json(set),
    }))
    .execute();
}
