import { sql } from 'kysely';
import type { SetAllowances } from '../../domain/limits/plans.ts';
import type { Plan } from '../../domain/vocabulary.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';

export interface WorkspacePlan {
  plan: Plan;
  set: SetAllowances;
  planSince: Date;
  /** The database's clock, by which periods are told. */
  now: Date;
}

/** @param lock holds the workspace until the transaction ends, so that what is counted against the plan stays counted. */
export async function readPlan(em: EntityManager, workspaceId: string, lock: boolean): Promise<WorkspacePlan> {
  const { rows } = await sql<{ plan: Plan; set: SetAllowances; planSince: string; now: string }>`
    select plan, allowances as "set", plan_since as "planSince", now() as "now" from workspaces
    where id = ${workspaceId} ${lock ? sql`for no key update` : sql``}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('The workspace of a caller is not there.');
  return { ...row, planSince: new Date(toIso(row.planSince)), now: new Date(toIso(row.now)) };
}

/** Billing periods are counted anew from the moment at which the plan changes. */
export async function writePlan(
  em: EntityManager,
  workspaceId: string,
  to: { plan: Plan; set: SetAllowances },
): Promise<void> {
  await sql`
    update workspaces set plan_since = case when plan = ${to.plan} then plan_since else now() end,
      plan = ${to.plan}, allowances = ${JSON.stringify(to.set)}::jsonb
    where id = ${workspaceId}
  `.execute(em.getKysely());
}
