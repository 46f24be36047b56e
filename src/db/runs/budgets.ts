import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { lockFor, thisMonth } from '../expressions.ts';
import { countedNanoUsd, findKey } from '../system/keys.ts';

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

/** The reservation of a run that was just made: nothing is held back yet. */
export async function openReservation(
  em: EntityManager,
  run: Payer & { runId: string; testCalls: number; countedIn: readonly string[] },
): Promise<void> {
  const { runId, workspaceId, agentId, apiKeyId, testCalls } = run;
  await db(em)
    .insertInto('budget_reservations')
    .values({
      runId,
      workspaceId,
      agentId,
      apiKeyId,
      month: thisMonth,
      heldNanoUsd: 0,
      testCalls,
      countedIn: [...run.countedIn],
    })
    .execute();
}

/** What each budget has left this month, the wider one first. A key that was revoked has nothing left. */
export async function budgetsLeft(em: EntityManager, payer: Payer): Promise<BudgetLeft[]> {
  const { agentId, apiKeyId } = payer;
  const { rows } = await sql<{ budget: number | null; ofAgent: number; ofKey: number }>`
    with held as (
      select agent_id, api_key_id, ${countedNanoUsd} as nano from budget_reservations
      where (agent_id = ${agentId} or api_key_id = ${apiKeyId}::uuid) and month = ${thisMonth}
    )
    select a.test_budget_usd as budget,
      (select coalesce(sum(nano), 0) from held where agent_id = a.id) as of_agent,
      (select coalesce(sum(nano), 0) from held where api_key_id = ${apiKeyId}::uuid) as of_key
    from agents a where a.id = ${agentId}
  `.execute(db(em));
  const [row] = rows;
  if (!row) return [];
  const ofAgent = leftOf('agent', row.budget, row.ofAgent);
  if (apiKeyId === null) return [ofAgent];
  const key = await findKey(em, payer.workspaceId, apiKeyId);
  return [ofAgent, leftOf('key', key?.monthlyBudgetUsd ?? 0, row.ofKey)];
}

function leftOf(of: BudgetLeft['of'], budgetUsd: number | null, usedNanoUsd: number): BudgetLeft {
  if (budgetUsd === null) return { of, leftNanoUsd: null, limitNanoUsd: null };
  const limitNanoUsd = Math.round(budgetUsd * 1e9);
  return { of, limitNanoUsd, leftNanoUsd: Math.max(0, limitNanoUsd - usedNanoUsd) };
}

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
  await lockFor(em, `test budget agent ${agentId}`);
  if (apiKeyId !== null) await lockFor(em, `test budget key ${apiKeyId}`);
}

export interface Reservation {
  /** Plays of the run that have reserved. */
  plays: number;
  testCalls: number;
}

export async function loadReservation(em: EntityManager, runId: string): Promise<Reservation | null> {
  const { plays, testCalls } = await db(em)
    .selectFrom('budget_reservations')
    .where('runId', '=', runId)
    .select(({ fn }) => [
      fn.max<number | null>('playsReserved').as('plays'),
      fn.sum<number | null>('testCalls').as('testCalls'),
    ])
    .executeTakeFirstOrThrow();
  return plays === null ? null : { plays, testCalls: testCalls ?? 0 };
}

/** Test calls that were drawn for a run after it was made. */
export async function noteTestCalls(
  em: EntityManager,
  runId: string,
  testCalls: number,
  countedIn: readonly string[],
): Promise<void> {
  await db(em)
    .updateTable('budget_reservations')
    .where('runId', '=', runId)
    .set({ testCalls, countedIn: [...countedIn] })
    .execute();
}

/** Holds back what one play may cost, once, in the month that it begins in and on top of what the run spent in that month. */
export async function holdBudget(em: EntityManager, runId: string, play: number, nanoUsd: number): Promise<void> {
  const ofRun = db(em).updateTable('budget_reservations').where('runId', '=', runId);
  await ofRun.where('playsReserved', '=', 0).set({ month: thisMonth }).execute();
  await sql`
    insert into budget_reservations as r
      (run_id, workspace_id, agent_id, api_key_id, month, held_nano_usd, plays_reserved)
    select run_id, workspace_id, agent_id, api_key_id, ${thisMonth}, ${nanoUsd}, ${play}
    from budget_reservations where run_id = ${runId} limit 1
    on conflict (run_id, month) do update
    set held_nano_usd = r.spent_nano_usd + excluded.held_nano_usd, plays_reserved = excluded.plays_reserved,
      settled_at = null
    where r.plays_reserved < excluded.plays_reserved
  `.execute(db(em));
}

/**
 * Puts what the attempts of the month cost in the place of what was held back, and gives the plan back the test calls of cells that
 * were never played. Once a play: a second time changes nothing.
 */
export async function settleBudget(em: EntityManager, runId: string): Promise<void> {
  const { rows } = await sql<{ testCalls: number; countedIn: string[]; workspaceId: string; played: number }>`
    with spent as (
      select coalesce(sum(platform_nano_usd), 0) as platform, coalesce(sum(service_nano_usd), 0) as service,
        count(distinct (test_id, persona))::int as played
      from attempts where run_id = ${runId}
    ), of_run as (
      update runs set platform_nano_usd = spent.platform, service_nano_usd = spent.service from spent where id = ${runId}
    )
    update budget_reservations r set settled_at = clock_timestamp(), test_calls = least(r.test_calls, spent.played),
      spent_nano_usd = greatest(0, spent.platform - (
        select coalesce(sum(o.spent_nano_usd), 0) from budget_reservations o
        where o.run_id = r.run_id and o.month < r.month))
    from spent, (
      select run_id, month, test_calls from budget_reservations where run_id = ${runId} for no key update
    ) before
    where r.run_id = before.run_id and r.month = before.month and r.settled_at is null
    returning before.test_calls - r.test_calls as test_calls, r.counted_in, r.workspace_id, spent.played
  `.execute(db(em));
  const [row] = rows;
  if (!row || row.testCalls === 0) return;
  await db(em)
    .updateTable('plan_usage')
    .where('workspaceId', '=', row.workspaceId)
    .where('startsAt', 'in', row.countedIn)
    .set((eb) => ({ testCalls: eb.fn<number>('greatest', [eb.lit(0), eb('testCalls', '-', row.testCalls)]) }))
    .execute();
}
