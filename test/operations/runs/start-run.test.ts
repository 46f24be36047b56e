import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wholePrice } from '../../../src/domain/limits/model-cost.ts';
import { newId } from '../../../src/ids.ts';
import { captureVersion, endRun, makeTests, type OwnedAgent, rowsOf } from '../../support/runs.ts';
import { createWorld, expectFailure, type World } from '../../support/world.ts';

let world: World;
let agent: OwnedAgent;
let testIds: string[];
const runs = () => `/v1/agents/${agent.agentId}/runs`;
const start = (body: object, headers: Record<string, string> = {}) =>
  world.ask('POST', runs(), { as: world.writeKey, body, headers });
const setAgent = (column: string, value: number | null) =>
  sql`update agents set ${sql.ref(column)} = ${value} where id = ${agent.agentId}`.execute(
    world.database.em().getKysely(),
  );
const setPlan = (allowances: object) =>
  sql`update workspaces set allowances = ${JSON.stringify(allowances)}::jsonb where id = ${world.workspaceId}`.execute(
    world.database.em().getKysely(),
  );
const counted = async (table: string) => {
  const [row] = await rowsOf<{ count: number }>(
    world.database,
    sql`select count(*)::int as count from ${sql.table(table)} where agent_id = ${agent.agentId}`,
  );
  return row?.count ?? 0;
};

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await setPlan({});
  await sql`delete from plan_usage`.execute(world.database.em().getKysely());
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  await captureVersion(world.database, agent, 3);
  testIds = await makeTests(world.database, agent, 3);
});

describe('what a run is asked for', () => {
  test('a run names its tests in order, its version, who asked, and what it may cost', async () => {
    const { status, body } = await start({ testIds: testIds.toReversed() });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'run',
      status: 'queued',
      kind: 'run',
      trigger: 'ci',
      version: 3,
      testSetId: null,
      testIds: testIds.toReversed(),
      personas: null,
      repeats: null,
      progress: { completed: 0, total: 3 },
      cells: { requested: 3, runnable: 3 },
      // Three cells, each played twice at most, at 0.05 USD.
      cost: { platformUsd: 0.3, serviceUsd: 0 },
      approvedAt: null,
      summary: null,
    });
    expect(body.createdBy).toMatch(/^key:/);
    const read = await world.get(`${runs()}/${body.id}`);
    expect(read.body).toEqual(body);
    expect((await world.get(`${runs()}?status=queued&trigger=ci&version=3`)).body.data).toEqual([body]);
    expect((await world.get(`${runs()}?status=complete`)).body.data).toEqual([]);
  });

  test('what it may cost and what the budget covers is told before it is started', async () => {
    const as = await world.token();
    const priced = (query = '') => world.get(`/app/agents/${agent.agentId}/run-price${query}`, as);
    expect((await priced()).body).toEqual({
      object: 'run_price',
      cells: 3,
      platformUsd: 0.3,
      serviceUsd: 0,
      budgetLeftUsd: null,
      coveredCells: 3,
    });
    expect((await priced('?repeats=true')).body).toMatchObject({ cells: 3, platformUsd: 0.45 });
    expect((await priced(`?testId=${testIds[0]}`)).body).toMatchObject({ cells: 1, platformUsd: 0.1 });
    expectFailure(await priced(`?testId=${newId()}`), 404, 'test_not_found', 'testId');
    await sql`update agents set test_budget_usd = 0.25 where id = ${agent.agentId}`.execute(
      world.database.em().getKysely(),
    );
    expect((await priced()).body).toMatchObject({ budgetLeftUsd: 0.25, coveredCells: 2 });
  });

  test('a person starts a run by hand, and the agent alone pays', async () => {
    const { body } = await world.ask('POST', runs(), { as: await world.token(), body: { all: true } });
    expect(body).toMatchObject({ trigger: 'manual', createdBy: world.personId, testIds });
  });

  test('each persona plays every test; a script that no model says in their manner is played once, by its own caller', async () => {
    const { body } = await start({ all: true, personas: ['hurried', 'plain'] });
    expect(body).toMatchObject({ personas: ['hurried', 'plain'], cells: { requested: 6, runnable: 3 } });
    expect(body.message).toContain('3 tests have scripts and were played once by their own callers');
    const em = world.database.em().getKysely();
    const cells = await sql<{ persona: string; runnable: boolean; reason: string | null }>`
      select persona, runnable, reason from run_cells where run_id = ${body.id} order by position`.execute(em);
    expect(cells.rows.map(({ persona }) => persona)).toEqual([...Array(3).fill('@source'), ...Array(3).fill('plain')]);
    expect(cells.rows.map(({ runnable }) => runnable)).toEqual([true, true, true, false, false, false]);
    expect(cells.rows[5]?.reason).toContain('No test call was drawn');
    const drawn = await sql<{ drawn: number }>`
      select test_calls as drawn from budget_reservations where run_id = ${body.id}`.execute(em);
    expect(drawn.rows).toEqual([{ drawn: 3 }]);
  });

  test('a pack becomes tests of the agent, once, in a set that a run plays, and runs of all tests leave them out', async () => {
    const packs = `/v1/agents/${agent.agentId}/packs`;
    const listed = await world.get(packs);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual(['attacks', 'attackers']);
    const make = (pack: string) => world.ask('POST', packs, { as: world.writeKey, body: { pack } });
    const made = await make('attacks');
    // The agent has no tool in whose answer an attack could stand.
    const leftOut = made.body.tests.filter(({ leftOut: why }: { leftOut: string | null }) => why !== null);
    expect(leftOut.map(({ kind }: { kind: string }) => kind)).toEqual(['tool_injection', 'tool_injection']);
    expect(made.body.price).toMatchObject({ cells: 12, platformUsd: 1.2, coveredCells: 12 });
    expect(await make('attacks')).toMatchObject({
      body: { testSetId: made.body.testSetId, testIds: made.body.testIds },
    });
    expectFailure(await make('nothing'), 400, 'invalid_parameter', 'pack');
    expectFailure(await make('attackers'), 402, 'testing_not_configured');
    expect((await start({ testSetId: made.body.testSetId })).body.cells).toEqual({ requested: 12, runnable: 12 });
    expect((await start({ all: true })).body.testIds).toEqual(testIds);
  });

  test('exactly one choice of tests is named', async () => {
    expectFailure(await start({}), 400, 'invalid_parameter', 'testIds');
    expectFailure(await start({ testIds, all: true }), 400, 'invalid_parameter', 'testSetId');
    expectFailure(await start({ all: false }), 400, 'invalid_parameter', 'testIds');
    const [one = ''] = testIds;
    expectFailure(await start({ testIds: [one, one.toUpperCase()] }), 400, 'invalid_parameter', 'testIds[1]');
    expectFailure(await start({ testIds: [] }), 400, 'invalid_parameter', 'testIds');
    expectFailure(await start({ all: true, repeats: 2 }), 400, 'invalid_parameter', 'repeats');
  });

  test('what it names must be there, whoever owns it', async () => {
    const other = await world.makeWorkspace();
    const foreign = { workspaceId: other.workspaceId, agentId: await world.makeAgent(other) };
    const [theirs = ''] = await makeTests(world.database, foreign, 1);
    expectFailure(await start({ testIds: [theirs] }), 404, 'test_not_found', 'testIds[0]');
    expectFailure(await start({ testIds: [newId()] }), 404, 'test_not_found', 'testIds[0]');
    expectFailure(await start({ testSetId: newId() }), 404, 'test_set_not_found', 'testSetId');
    expectFailure(await start({ all: true, personas: ['nobody'] }), 404, 'persona_not_found', 'personas[0]');
    expectFailure(await start({ all: true, draftId: newId() }), 404, 'draft_not_found', 'draftId');
    expectFailure(await start({ all: true, draftId: newId(), version: 1 }), 400, 'invalid_parameter', 'draftId');
    expectFailure(await start({ all: true, version: 9 }), 400, 'invalid_parameter', 'version');
  });

  test('what is wrong with a request is told before what it would cost', async () => {
    await setPlan({ testCalls: 0 });
    expectFailure(await start({ all: true, version: 9 }), 400, 'invalid_parameter', 'version');
    expectFailure(await start({ shadow: true }), 400, 'invalid_parameter', 'testIds');
    const both = { testIds: [newId()], draftId: newId(), version: 3 };
    expectFailure(await start(both), 400, 'invalid_parameter', 'draftId');
    expectFailure(await start({ all: true }), 402, 'quota_exceeded');
  });

  test('a result that is not there yet is 409, and another run that is nowhere 404 before that', async () => {
    const { body } = await start({ all: true });
    const result = (query: string) => world.get(`${runs()}/${body.id}/result${query}`);
    expectFailure(await result(''), 409, 'run_not_finished');
    expectFailure(await result(`?compareTo=${newId()}`), 404, 'run_not_found', 'compareTo');
    expectFailure(await result(`?compareTo=${body.id}`), 400, 'invalid_parameter', 'compareTo');
  });

  test('the same Idempotency-Key starts one run, also when both come at once', async () => {
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all([1, 2, 3].map(() => start({ all: true }, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await counted('runs')).toBe(1);
  });
});

describe('what can not be played is refused before anything is stored', () => {
  test('a platform without a simulation, a version that nobody captured, and a copy where none is made', async () => {
    agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent({ provider: 'demo' }) };
    await captureVersion(world.database, agent);
    await makeTests(world.database, agent, 1);
    expectFailure(await start({ all: true, shadow: true }), 402, 'testing_not_configured', 'shadow');
    agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent({ provider: 'file' }) };
    await captureVersion(world.database, agent);
    await makeTests(world.database, agent, 1);
    expectFailure(await start({ all: true }), 402, 'testing_not_configured');
    agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
    expectFailure(await start({ all: true }), 402, 'testing_not_configured');
    await makeTests(world.database, agent, 1);
    expectFailure(await start({ all: true }), 402, 'testing_not_configured');
    expect(await counted('runs')).toBe(0);
  });

  test('a plan that does not cover the whole run says how many calls it needs and how many are left', async () => {
    await setPlan({ testCalls: 5 });
    expect((await start({ all: true })).status).toBe(201);
    const refused = await start({ all: true });
    expectFailure(refused, 402, 'quota_exceeded');
    expect(refused.body.error.message).toContain('needs 3 simulated calls, and the plan has 2 left');
    expect(refused.body.error.quota).toEqual({
      metric: 'test_calls',
      limit: 5,
      used: 3,
      plan: 'enterprise',
      upgradePath: '/billing',
    });
    expect(await counted('runs')).toBe(1);
    expect((await start({ testIds: testIds.slice(0, 2) })).status).toBe(201);
  });

  test('a budget that pays no cell is named, and nothing but the audit entry is kept', async () => {
    await setPlan({ testCalls: 5 });
    await setAgent('test_budget_usd', 0.09);
    const refused = await start({ all: true });
    expectFailure(refused, 402, 'budget_exceeded');
    expect(refused.body.error.message).toBe(
      "One cell needs up to 0.10 USD at the platform, and the agent's test budget has 0.09 USD left this month.",
    );
    expect(await counted('runs')).toBe(0);
    await setAgent('test_budget_usd', 0.1);
    // The test calls of the refused one were not drawn.
    expect((await start({ all: true })).status).toBe(201);
    const audit = await world.get(`/v1/agents/${agent.agentId}/audit`);
    expect(
      audit.body.data.map((entry: { operation: string; status: number }) => [entry.operation, entry.status]),
    ).toEqual([
      ['startRun', 201],
      ['startRun', 402],
    ]);
  });

  test('a version with tools that the platform would run for real is refused, and they are named', async () => {
    await captureVersion(world.database, agent, 4, {
      settings: { 'engine.mcps': '[{"name":"crm"}]' },
      nodes: [{ id: 'n', label: 'Text the address', kind: 'sms', text: null, toolName: null, edges: [] }],
    });
    const refused = await start({ all: true });
    expectFailure(refused, 402, 'testing_not_configured');
    expect(refused.body.error.message).toContain('the MCP server crm, the text message of step Text the address');
    expect((await start({ all: true, version: 3 })).status).toBe(201);
  });

  test("models that the workspace's AI allowance does not pay are a refusal too, also of another score", async () => {
    const { models } = world.services;
    world.services.models = {
      simulator: null,
      judge: 'judge-1',
      prices: { 'judge-1': wholePrice({ input: 100, output: 100 }, 'openai') },
    };
    try {
      await setPlan({ aiAllowanceUsd: 0.1 });
      const refused = await start({ all: true });
      expectFailure(refused, 402, 'budget_exceeded');
      expect(refused.body.error.message).toContain("the workspace's AI model allowance has 0.10 USD left");
      await setPlan({ aiAllowanceUsd: 10 });
      const { body } = await start({ all: true });
      expect(body.cost.serviceUsd).toBeGreaterThan(1);
      await setPlan({ aiAllowanceUsd: 0 });
      const rescore = () => world.ask('POST', `${runs()}/${body.id}/rescore`, { as: world.writeKey });
      expectFailure(await rescore(), 409, 'run_not_finished');
      await endRun(world.database, agent, body.id);
      expectFailure(await rescore(), 402, 'budget_exceeded');
    } finally {
      world.services.models = models;
    }
  });

  test("a key's own budget is the narrower one", async () => {
    await sql`update api_keys set monthly_budget_usd = 0.05`.execute(world.database.em().getKysely());
    const refused = await start({ all: true });
    expectFailure(refused, 402, 'budget_exceeded');
    expect(refused.body.error.message).toContain("the key's budget has 0.05 USD left");
    expect((await world.ask('POST', runs(), { as: await world.token(), body: { all: true } })).status).toBe(201);
    await sql`update api_keys set monthly_budget_usd = 50`.execute(world.database.em().getKysely());
  });
});

describe('calibration', () => {
  const calibrate = async (as: string) =>
    world.ask('POST', `/v1/agents/${agent.agentId}/tests/calibrate`, { as, body: { all: true } });

  test('is for people, plays each test three times and draws one test call a test', async () => {
    expectFailure(await calibrate(world.writeKey), 403, 'people_only');
    await setPlan({ testCalls: 3 });
    const { status, body } = await calibrate(await world.token());
    expect(status).toBe(201);
    expect(body).toMatchObject({ kind: 'calibration', trigger: 'manual', cost: { platformUsd: 0.45 } });
    expectFailure(await calibrate(await world.token()), 402, 'quota_exceeded');
  });
});
