import { sql } from 'kysely';
import { allowancesOf, periodOf } from '../../domain/limits/plans.ts';
import type { Plan } from '../../domain/vocabulary.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { findKey } from '../system/keys.ts';
import { readPlan } from '../system/plans.ts';

/** Who pays: the agent's budget, and inside it that of the key, where a key asked. */
export interface Payer {
  workspaceId: string;
  agentId: string;
  apiKeyId: string | null;
}

/** What a budget of the present UTC month has left, in billionths of a US dollar. */
export interface BudgetLeft {
  of: 'agent' | 'key';
  /** Null: without a limit. */
  leftNanoUsd: number | null;
  limitNanoUsd: number | null;
}

export interface TestCalls {
  /** Null: without a limit. */
  limit: number | null;
  used: number;
  plan: Plan;
}

/**
 * Draws simulated test calls from the plan, all or none, and opens the run's reservation with them. The workspace is
 * held until the transaction ends, so that two runs at once can't both take what is left.
 * @returns what the plan has, where it does not cover them; null when they are drawn.
 */
export async function drawTestCalls(
  em: EntityManager,
  workspaceId: string,
  calls: number,
): Promise<{ drawn: false; plan: TestCalls } | { drawn: true; countedIn: string[] }> {
  const { plan, set, planSince, now } = await readPlan(em, workspaceId, true);
  const limit = allowancesOf(plan, set).testCalls;
  const period = periodOf(plan, planSince, now).startsAt.toISOString();
  const month = periodOf('free_org', planSince, now).startsAt.toISOString();
  const countedIn = [...new Set([period, month])].sort();
  const used = await usedTestCalls(em, workspaceId, period);
  if (limit !== null && used + calls > limit) return { drawn: false, plan: { limit, used, plan } };
  await sql`
    insert into plan_usage (workspace_id, starts_at, test_calls)
    select ${workspaceId}, starts_at, ${calls} from unnest(${countedIn}::timestamptz[]) as starts_at order by starts_at
    on conflict (workspace_id, starts_at) do update set test_calls = plan_usage.test_calls + excluded.test_calls
  `.execute(em.getKysely());
  return { drawn: true, countedIn };
}

/** Test calls that are counted in a period. @param startsAt ISO 8601 */
export async function usedTestCalls(em: EntityManager, workspaceId: string, startsAt: string): Promise<number> {
  const { rows } = await sql<{ used: number }>`
    select test_calls as used from plan_usage where workspace_id = ${workspaceId} and starts_at = ${startsAt}::timestamptz
  `.execute(em.getKysely());
  return rows[0]?.used ?? 0;
}

/** The reservation of a run that was just made: nothing is held back yet. */
export async function openReservation(
  em: EntityManager,
  run: Payer & { runId: string; testCalls: number; countedIn: readonly string[] },
): Promise<void> {
  await sql`
    insert into budget_reservations (run_id, workspace_id, agent_id, api_key_id, month, held_nano_usd, test_calls, counted_in)
    values (${run.runId}, ${run.workspaceId}, ${run.agentId}, ${run.apiKeyId},
      date_trunc('month', now() at time zone 'UTC')::date, 0, ${run.testCalls}, ${[...run.countedIn]}::text[])
  `.execute(em.getKysely());
}

/** What each budget has left this month, the wider one first. A key that was revoked has nothing left. */
export async function budgetsLeft(em: EntityManager, payer: Payer): Promise<BudgetLeft[]> {
  const { agentId, apiKeyId } = payer;
  const { rows } = await sql<{ budget: string | null; ofAgent: string; ofKey: string }>`
    with held as (
      select agent_id, api_key_id, ${countedNanoUsd} as nano from budget_reservations
      where (agent_id = ${agentId} or api_key_id = ${apiKeyId}::uuid) and month = ${thisMonth}
    )
    select a.test_budget_usd as budget,
      (select coalesce(sum(nano), 0) from held where agent_id = a.id) as "ofAgent",
      (select coalesce(sum(nano), 0) from held where api_key_id = ${apiKeyId}::uuid) as "ofKey"
    from agents a where a.id = ${agentId}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return [];
  const ofAgent = leftOf('agent', row.budget === null ? null : toNumber(row.budget), toNumber(row.ofAgent));
  if (apiKeyId === null) return [ofAgent];
  const key = await findKey(em, payer.workspaceId, apiKeyId);
  return [ofAgent, leftOf('key', key?.monthlyBudgetUsd ?? 0, toNumber(row.ofKey))];
}

function leftOf(of: BudgetLeft['of'], budgetUsd: number | null, usedNanoUsd: number): BudgetLeft {
  if (budgetUsd === null) return { of, leftNanoUsd: null, limitNanoUsd: null };
  const limitNanoUsd = Math.round(budgetUsd * 1e9);
  return { of, limitNanoUsd, leftNanoUsd: Math.max(0, limitNanoUsd - usedNanoUsd) };
}

/** A reservation counts what it holds back until it is settled, then what was spent. */
const countedNanoUsd = sql`case when settled_at is null then greatest(held_nano_usd, spent_nano_usd) else spent_nano_usd end`;
const thisMonth = sql`date_trunc('month', clock_timestamp() at time zone 'UTC')::date`;

/** The least that any of the budgets has left. Null: none has a limit. */
export function leastLeft(budgets: readonly BudgetLeft[]): BudgetLeft | null {
  const limited = budgets.filter(({ leftNanoUsd }) => leftNanoUsd !== null);
  return limited.reduce<BudgetLeft | null>(
    (least, one) => (least === null || (one.leftNanoUsd ?? 0) < (least.leftNanoUsd ?? 0) ? one : least),
    null,
  );
}

/**
 * Holds the budgets of a payer until the transaction ends, the agent's before the key's: whoever reserves from either
 * waits here. What is read after it is what was committed meanwhile.
 */
export async function lockBudgets(em: EntityManager, { agentId, apiKeyId }: Payer): Promise<void> {
  const db = em.getKysely();
  await sql`select pg_advisory_xact_lock(hashtextextended('test budget agent ' || ${agentId}::text, 0))`.execute(db);
  if (apiKeyId === null) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('test budget key ' || ${apiKeyId}::text, 0))`.execute(db);
}

export interface Reservation {
  /** Plays of the run that have reserved. */
  plays: number;
  testCalls: number;
  heldNanoUsd: number;
  settled: boolean;
}

export async function loadReservation(em: EntityManager, runId: string): Promise<Reservation | null> {
  const { rows } = await sql<{ plays: number; testCalls: number; held: string; settled: boolean }>`
    select plays_reserved as plays, test_calls as "testCalls", held_nano_usd as held, settled_at is not null as settled
    from budget_reservations where run_id = ${runId}
  `.execute(em.getKysely());
  const [row] = rows;
  return row
    ? { plays: row.plays, testCalls: row.testCalls, heldNanoUsd: toNumber(row.held), settled: row.settled }
    : null;
}

/** Test calls that were drawn for a run after it was made. */
export async function noteTestCalls(
  em: EntityManager,
  runId: string,
  testCalls: number,
  countedIn: readonly string[],
): Promise<void> {
  await sql`
    update budget_reservations set test_calls = ${testCalls}, counted_in = ${[...countedIn]}::text[] where run_id = ${runId}
  `.execute(em.getKysely());
}

/** Holds back what one play may cost, once, on top of what earlier plays have spent; all of it in the month of the first. */
export async function holdBudget(em: EntityManager, runId: string, play: number, nanoUsd: number): Promise<void> {
  await sql`
    update budget_reservations set held_nano_usd = spent_nano_usd + ${nanoUsd}, plays_reserved = ${play}, settled_at = null,
      month = case when plays_reserved = 0 then date_trunc('month', clock_timestamp() at time zone 'UTC')::date else month end
    where run_id = ${runId} and plays_reserved < ${play}
  `.execute(em.getKysely());
}

/**
 * Puts what the attempts cost in the place of what was held back, and gives the plan back the test calls of cells that
 * were never played. Once a play: a second time changes nothing.
 */
export async function settleBudget(em: EntityManager, runId: string): Promise<void> {
  const db = em.getKysely();
  const { rows } = await sql<{ testCalls: number; countedIn: string[]; workspaceId: string; played: number }>`
    with spent as (
      select coalesce(sum(platform_nano_usd), 0) as platform, coalesce(sum(service_nano_usd), 0) as service,
        count(distinct (test_id, persona))::int as played
      from attempts where run_id = ${runId}
    ), of_run as (
      update runs set platform_nano_usd = spent.platform, service_nano_usd = spent.service from spent where id = ${runId}
    )
    update budget_reservations r set spent_nano_usd = spent.platform, settled_at = clock_timestamp(),
      test_calls = least(r.test_calls, spent.played)
    from spent, (select run_id, test_calls from budget_reservations where run_id = ${runId} for no key update) before
    where r.run_id = before.run_id and r.settled_at is null
    returning before.test_calls - r.test_calls as "testCalls", r.counted_in as "countedIn",
      r.workspace_id as "workspaceId", spent.played
  `.execute(db);
  const [row] = rows;
  if (!row || row.testCalls === 0) return;
  await sql`
    update plan_usage set test_calls = greatest(0, test_calls - ${row.testCalls})
    where workspace_id = ${row.workspaceId} and starts_at = any(${row.countedIn}::timestamptz[])
  `.execute(db);
}
