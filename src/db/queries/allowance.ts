import { sql } from 'kysely';
import { allowancesOf, type Period, periodOf } from '../../domain/limits/plans.ts';
import type { EntityManager } from '../database.ts';
import { readPlan } from '../system/plans.ts';

/** How many calls a workspace may still have analysed in its present period. */
export interface CallAllowance {
  /** Null: unlimited. */
  limit: number | null;
  used: number;
  period: Period;
  /** Starts of the periods that a call of now is counted in: the plan's own, and the calendar month that Free goes by. */
  countedIn: string[];
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** @param lock holds the workspace until the transaction ends, so that nobody else draws from what was read. */
export async function readCallAllowance(em: EntityManager, workspaceId: string, lock = false): Promise<CallAllowance> {
  const { plan, set, planSince, now } = await readPlan(em, workspaceId, lock);
  const period = periodOf(plan, planSince, now);
  const month = periodOf('free_org', planSince, now);
  return {
    limit: allowancesOf(plan, set).analysedCalls,
    used: await readUsed(em, workspaceId, period.startsAt),
    period,
    countedIn: [...new Set([period, month].map(({ startsAt }) => startsAt.toISOString()))].sort(),
  };
}

async function readUsed(em: EntityManager, workspaceId: string, startsAt: Date): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select analysed_calls as used from plan_usage
    where workspace_id = ${workspaceId} and starts_at = ${startsAt.toISOString()}::timestamptz
  `.execute(em.getKysely());
  return rows[0]?.used ?? 0;
}

/**
 * Of these calls, those that the allowance covers now: oldest first, up to the first that it does not. A call that was
 * analysed before draws nothing again. Nothing is taken: `drawCalls` does that beside the analysis itself.
 */
export async function coveredCalls(
  em: EntityManager,
  owner: Owner,
  callIds: readonly string[],
): Promise<{ callIds: string[]; heldUntil: string | null }> {
  if (callIds.length === 0 || !(await isCounted(em, owner.agentId))) return { callIds: [...callIds], heldUntil: null };
  const allowance = await readCallAllowance(em, owner.workspaceId);
  if (allowance.limit === null) return { callIds: [...callIds], heldUntil: null };
  const over = overAllowance(await costsOf(em, owner.agentId, callIds), allowance);
  return {
    callIds: callIds.filter((id) => !over.has(id)),
    heldUntil: over.size === 0 ? null : allowance.period.endsAt.toISOString(),
  };
}

export interface Draw {
  /** Calls that the allowance does not cover: they stay as they are. */
  over: ReadonlySet<string>;
  /** Counts the others as used. Last, because it keeps others of the workspace waiting until the transaction ends. */
  count(): Promise<void>;
}

/**
 * Draws calls from the allowance in the transaction that stores their analyses, so that what is counted and what is
 * analysed commit together. Where there is a limit the workspace is held meanwhile: agents of one workspace that store
 * at once can't both take what is left.
 */
export async function drawCalls(tx: EntityManager, owner: Owner, callIds: readonly string[]): Promise<Draw> {
  if (callIds.length === 0 || !(await isCounted(tx, owner.agentId))) return { over: new Set(), count: async () => {} };
  let allowance = await readCallAllowance(tx, owner.workspaceId);
  if (allowance.limit !== null) allowance = await readCallAllowance(tx, owner.workspaceId, true);
  const costs = await costsOf(tx, owner.agentId, callIds);
  const over = overAllowance(costs, allowance);
  const drawn = costs.reduce((sum, { callId, cost }) => sum + (over.has(callId) ? 0 : cost), 0);
  return { over, count: () => countDrawn(tx, owner.workspaceId, allowance.countedIn, drawn) };
}

async function countDrawn(em: EntityManager, workspaceId: string, startsAt: string[], drawn: number): Promise<void> {
  if (drawn === 0) return;
  await sql`
    insert into plan_usage (workspace_id, starts_at, analysed_calls)
    select ${workspaceId}, starts_at, ${drawn} from unnest(${startsAt}::timestamptz[]) as starts_at order by starts_at
    on conflict (workspace_id, starts_at) do update set analysed_calls = plan_usage.analysed_calls + excluded.analysed_calls
  `.execute(em.getKysely());
}

interface Cost {
  callId: string;
  cost: number;
  /** Of this call and the older ones. */
  total: number;
}

/** One for each 10 minutes started; oldest first. Calls that have a reading already are left out. */
async function costsOf(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<Cost[]> {
  const { rows } = await sql<Cost>`
    select id as "callId", cost, (sum(cost) over (order by sort_at, id))::int as total
    from calls, lateral (select greatest(1, ceil(duration_ms / 600000.0))::int as cost) as of_call
    where agent_id = ${agentId} and id = any(${[...callIds]}::uuid[]) and state <> 'analysed'
    order by sort_at, id
  `.execute(em.getKysely());
  return rows;
}

function overAllowance(costs: readonly Cost[], { limit, used }: CallAllowance): Set<string> {
  if (limit === null) return new Set();
  return new Set(costs.filter(({ total }) => used + total > limit).map(({ callId }) => callId));
}

/** Demo agents, copies too, draw nothing: their calls are made up. */
async function isCounted(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from agents where id = ${agentId} and source <> 'demo'`.execute(em.getKysely());
  return rows.length > 0;
}

/** Calls of an agent that wait for their first analysis: all of them, and those that one import stored. */
export async function countWaiting(
  em: EntityManager,
  agentId: string,
  importId: string | null,
): Promise<{ all: number; ofImport: number }> {
  const { rows } = await sql<{ all: number; ofImport: number }>`
    select count(*)::int as "all", (count(*) filter (where import_id = ${importId}::uuid))::int as "ofImport"
    from calls where agent_id = ${agentId} and state = 'waiting' and (state <> 'analysed' or reanalyse)
  `.execute(em.getKysely());
  return rows[0] ?? { all: 0, ofImport: 0 };
}

/**
 * Calls that waited when their import had ended leave its waiting ones: analysed, or kept with a reason. In the
 * transaction that changes the calls, so that each is counted once; an import that goes on counts for itself.
 */
export async function noteLateCalls(
  em: EntityManager,
  callIds: readonly string[],
  became: 'analysed' | 'failed',
): Promise<void> {
  if (callIds.length === 0) return;
  const field = sql.ref(became);
  await sql`
    update imports set waiting = greatest(0, imports.waiting - late.calls),
      ${field} = imports.${field} + least(imports.waiting, late.calls), updated_at = now()
    from (select import_id, count(*)::int as calls from calls
      where id = any(${[...callIds]}::uuid[]) and import_id is not null group by import_id) as late
    where imports.id = late.import_id and imports.status in ('complete', 'failed', 'cancelled') and imports.waiting > 0
  `.execute(em.getKysely());
}
