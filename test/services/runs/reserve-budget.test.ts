import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { beginStep, endPlaying, openAttempt } from '../../../src/db/runs/attempts.ts';
import { budgetsLeft, holdBudget, loadReservation, settleBudget } from '../../../src/db/runs/budgets.ts';
import { storeStep } from '../../../src/db/runs/store-step.ts';
import { OWN_CALLER } from '../../../src/domain/runs/attempt.ts';
import { newId } from '../../../src/ids.ts';
import { planRun } from '../../../src/services/runs/plan-run.ts';
import type { RunPlan } from '../../../src/temporal/run-tests.ts';
import { captureVersion, makeRun, makeTests, type OwnedAgent, rowsOf } from '../../support/runs.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

const STARTS = 50;
/** Two tries at 0.05 USD. */
const CELL = 100_000_000;

let world: World;
/** Each with connections of its own, as two processes have. */
let processes: { database: Database; planRun(agent: OwnedAgent, runId: string): Promise<RunPlan> }[];
let agent: OwnedAgent;
let testIds: string[];
let keyId: string;

beforeAll(async () => {
  world = await createWorld();
  processes = await Promise.all(
    [1, 2].map(async (nth) => {
      const database = await openDatabase({
        url: world.database.url,
        poolMax: 10,
        applicationName: `earshot-test-${nth}`,
        statementTimeoutMs: 60_000,
        onIdleError: () => {},
      });
      return {
        database,
        planRun: (of: OwnedAgent, runId: string) =>
          planRun(database.within(of.workspaceId), { ...of, runId, expired: false }),
      };
    }),
  );
});
afterAll(async () => {
  await Promise.all((processes ?? []).map(({ database }) => database.close()));
  await world?.close();
});
beforeEach(async () => {
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  await captureVersion(world.database, agent);
  testIds = await makeTests(world.database, agent, 2);
  const { rows } = await sql<{ id: string }>`
    insert into api_keys (id, workspace_id, name, access, monthly_budget_usd, secret_hash, prefix, created_by)
    values (${newId()}, ${agent.workspaceId}, 'A key', 'write', 1, ${newId()}, 'svc_000000', ${world.personId}) returning id
  `.execute(world.database.em().getKysely());
  keyId = rows[0]?.id ?? '';
});

const setAgentBudget = (usd: number) =>
  sql`update agents set test_budget_usd = ${usd} where id = ${agent.agentId}`.execute(world.database.em().getKysely());
const reservations = () =>
  rowsOf<Loose>(
    world.database,
    sql`select run_id as "runId", held_nano_usd::float8 as held, spent_nano_usd::float8 as spent,
      settled_at is not null as settled, plays_reserved as plays from budget_reservations where agent_id = ${agent.agentId}
      order by month, created_at`,
  );
const heldInAll = async () => (await reservations()).reduce((sum, { held }) => sum + held, 0);

function planIn(at: number, runId: string): Promise<RunPlan> {
  const one = processes[at % processes.length];
  if (!one) throw new Error('there is no such process');
  return one.planRun(agent, runId);
}

/** As many runs as asked for, planned at once in both processes. */
async function planAtOnce(count: number, made: { apiKeyId: string | null; tests: number }): Promise<string[]> {
  const runIds = await Promise.all(
    Array.from({ length: count }, () =>
      makeRun(world.database, agent, testIds.slice(0, made.tests), { apiKeyId: made.apiKeyId, trigger: 'ci' }),
    ),
  );
  const plans = await Promise.all(runIds.map((runId, at) => planIn(at, runId)));
  return plans.map((plan) => plan.state);
}

const countOf = (states: string[], state: string) => states.filter((one) => one === state).length;

describe('a budget under many starts at once, over two pools of connections as two processes have', () => {
  test('of fifty runs for the last dollar of a key, exactly those are let in that it pays', async () => {
    const states = await planAtOnce(STARTS, { apiKeyId: keyId, tests: 1 });
    expect(countOf(states, 'play')).toBe(10);
    expect(countOf(states, 'refused')).toBe(40);
    expect(await heldInAll()).toBe(10 * CELL);
  });

  test('the narrower budget decides, and the last run gets the part that is left', async () => {
    await setAgentBudget(0.55);
    const states = await planAtOnce(STARTS, { apiKeyId: keyId, tests: 2 });
    // Two runs of two cells, and one of which one cell is paid; five hundredths pay none.
    expect(countOf(states, 'play')).toBe(3);
    expect(await heldInAll()).toBe(5 * CELL);
    const cells = await rowsOf<Loose>(
      world.database,
      sql`select cells_runnable as runnable from runs where agent_id = ${agent.agentId} and status = 'running' order by 1`,
    );
    expect(cells.map(({ runnable }) => runnable)).toEqual([1, 2, 2]);
  });

  test('people and keys draw on one budget of the agent', async () => {
    await setAgentBudget(1);
    const [byKey, byPeople] = await Promise.all([
      planAtOnce(STARTS / 2, { apiKeyId: keyId, tests: 1 }),
      planAtOnce(STARTS / 2, { apiKeyId: null, tests: 1 }),
    ]);
    expect(countOf(byKey, 'play') + countOf(byPeople, 'play')).toBe(10);
    expect(await heldInAll()).toBe(10 * CELL);
  });

  test('one run that is planned many times at once holds back once', async () => {
    const runId = await makeRun(world.database, agent, testIds, { apiKeyId: keyId });
    const plans = await Promise.all(Array.from({ length: 20 }, (_, at) => planIn(at, runId)));
    expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(1);
    expect(await reservations()).toMatchObject([{ held: 2 * CELL, plays: 1, settled: false }]);
  });
});

describe('at the end', () => {
  test('what was held is what was spent and what is free again; settling twice changes nothing', async () => {
    await setAgentBudget(0.2);
    const runId = await makeRun(world.database, agent, testIds, { apiKeyId: keyId });
    const em = world.database.within(agent.workspaceId);
    await planIn(0, runId);
    expect(await planAtOnce(1, { apiKeyId: keyId, tests: 1 })).toEqual(['refused']);
    await play(runId, 50_000_000);
    for (let times = 0; times < 3; times += 1) await em.transactional((tx) => settleBudget(tx, runId));
    expect((await reservations()).find((row) => row.runId === runId)).toMatchObject({
      held: 2 * CELL,
      spent: 50_000_000,
      settled: true,
    });
    // 0.15 are free again: one cell, not two.
    expect(await planAtOnce(2, { apiKeyId: keyId, tests: 1 })).toEqual(expect.arrayContaining(['play', 'refused']));
    const keys = await world.ask('GET', '/app/keys', { as: await world.token() });
    expect(keys.body.data.find(({ id }: Loose) => id === keyId).spentThisMonthUsd).toBe(0.15);
  });

  test('what was spent in another month does not count in this one', async () => {
    await setAgentBudget(0.1);
    await planAtOnce(1, { apiKeyId: keyId, tests: 1 });
    await sql`update budget_reservations set month = month - interval '1 month' where agent_id = ${agent.agentId}`.execute(
      world.database.em().getKysely(),
    );
    expect(await planAtOnce(1, { apiKeyId: keyId, tests: 1 })).toEqual(['play']);
  });

  test('errors that are played again in a later month are paid by that month', async () => {
    await setAgentBudget(0.2);
    const runId = await makeRun(world.database, agent, testIds, { apiKeyId: keyId });
    const em = world.database.within(agent.workspaceId);
    await planIn(0, runId);
    await play(runId, 50_000_000);
    await settleBudget(em, runId);
    const lastMonth = sql`update budget_reservations set month = month - interval '1 month' where run_id = ${runId}`;
    await lastMonth.execute(world.database.em().getKysely());
    await holdBudget(em, runId, 2, CELL);
    await holdBudget(em, runId, 2, CELL);
    expect(await budgetsLeft(em, { ...agent, apiKeyId: null })).toMatchObject([{ leftNanoUsd: 2 * CELL - CELL }]);
    expect(await loadReservation(em, runId)).toEqual({ plays: 2, testCalls: 0 });
    await play(runId, 70_000_000, 2);
    for (let times = 0; times < 2; times += 1) await settleBudget(em, runId);
    expect((await reservations()).map(({ spent, settled }) => ({ spent, settled }))).toEqual([
      { spent: 50_000_000, settled: true },
      { spent: 70_000_000, settled: true },
    ]);
    expect(await budgetsLeft(em, { ...agent, apiKeyId: null })).toMatchObject([{ leftNanoUsd: 130_000_000 }]);
  });

  test('a key that was revoked before its run began pays nothing', async () => {
    const runId = await makeRun(world.database, agent, testIds, { apiKeyId: keyId });
    await sql`update api_keys set revoked_at = now() where id = ${keyId}`.execute(world.database.em().getKysely());
    expect(await planIn(0, runId)).toMatchObject({ state: 'refused' });
    expect(await heldInAll()).toBe(0);
  });
});

/** An attempt of the first test, at a price. */
async function play(runId: string, platformNanoUsd: number, attempt = 1): Promise<void> {
  const em = world.database.within(agent.workspaceId);
  const key = { ...agent, runId, testId: testIds[0] ?? '', persona: OWN_CALLER, attempt };
  const opened = await openAttempt(em, key);
  if (opened === null) throw new Error('the run has no such cell');
  const of = { ...agent, attemptId: opened.attemptId, player: opened.player };
  await beginStep(em, of, 0, 'agent');
  const step = {
    step: 0,
    by: 'agent' as const,
    turns: [],
    messages: [],
    state: null,
    flowSteps: [],
    noFixture: [],
    ended: null,
  };
  await storeStep(em, of, step, { platformNanoUsd, serviceNanoUsd: 0 });
  await endPlaying(em, opened, { endedBy: 'agent', trouble: null, noFixture: [], serviceNanoUsd: 0 });
}
