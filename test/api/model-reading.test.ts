import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queueModelReadings } from '../../src/db/models/model-readings.ts';
import { wholePrice } from '../../src/domain/limits/model-cost.ts';
import { makeSignal } from '../support/analysed-calls.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const CALLS = 40;
/** On these calls rules found something. */
const SUSPECTED = 4;
const READER = {
  model: 'small-one',
  account: { id: 'operator test', host: 'models.example.com' },
  price: wholePrice({ input: 1, output: 2 }, 'openai'),
  isOwn: false,
};

let world: World;
let token: string;
let agentId: string;
let ids: string[];

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  world.services.reader = READER;
});
afterAll(() => world.close());
beforeEach(async () => {
  world.services.reader = READER;
  agentId = await world.makeAgent();
  const calls = Array.from({ length: CALLS }, (_, at) => ({
    call: { providerCallId: `${agentId} ${at}`, startedAt: minute(at) },
    analysis: { signals: at < SUSPECTED ? [makeSignal({ code: 'question_unanswered' })] : [], outcomeConfidence: 0.95 },
  }));
  ids = await seedCalls(world, agentId, calls);
  await rows(sql`update calls set caller_spoke = true, outcome = 'resolved', outcome_confidence = 0.95
    where agent_id = ${agentId} returning id`);
});

const rows = async (query: ReturnType<typeof sql<Loose>>) =>
  (await query.execute(world.database.em().getKysely())).rows;
const path = () => `/app/agents/${agentId}/model-reading`;
const reading = async () => (await world.get(path(), token)).body;
const change = (body: object) => world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body });
const inState = async (state: string) =>
  (await rows(sql`select call_id as id from model_readings where agent_id = ${agentId} and state = ${state}`)).map(
    ({ id }) => id,
  );
async function handOver(): Promise<void> {
  const [agent] = await rows(sql`select workspace_id as id from agents where id = ${agentId}`);
  const owner = { workspaceId: agent?.id, agentId };
  await queueModelReadings(world.database.within(owner.workspaceId), owner, ids, READER.model);
}

test('an agent says what reads it, what waits, and about what 1,000 calls cost before the first is read', async () => {
  await change({ modelReading: 'decide', modelBudgetUsd: 10 });
  await handOver();
  expect(await reading()).toMatchObject({
    model: { name: 'small-one', host: 'models.example.com', priced: true },
    mode: 'decide',
    share: 'all',
    budgetUsd: 10,
    calls: { waiting: CALLS, read: 0, givenUp: 0, left: 0 },
    month: { questions: 0, usd: 0, cachedShare: null },
    pause: null,
    estimate: {
      calls: 1000,
      basis: 'sampled',
      usd: expect.any(Number),
      text: expect.stringMatching(/^1,000 calls of this agent: about [\d.]+ M tokens, [\d.]+ USD at your prices$/),
    },
  });
});

test('a share reads what something points at and a part of the rest, and a larger part holds the smaller', async () => {
  await change({ modelReading: 'decide', modelShare: 'suspected' });
  await handOver();
  const none = await inState('waiting');
  expect(none).toHaveLength(SUSPECTED);
  expect(await reading()).toMatchObject({ calls: { waiting: SUSPECTED, left: CALLS - SUSPECTED } });
  await change({ modelSharePercent: 30 });
  const some = await inState('waiting');
  await change({ modelSharePercent: 70 });
  const most = await inState('waiting');
  expect(some.length).toBeGreaterThan(none.length);
  expect(most.length).toBeGreaterThan(some.length);
  expect(most).toEqual(expect.arrayContaining(some));
  expect(some).toEqual(expect.arrayContaining(none));
  await change({ modelSharePercent: 30 });
  expect((await inState('waiting')).toSorted()).toEqual(some.toSorted());
  await change({ modelShare: 'all' });
  expect(await inState('waiting')).toHaveLength(CALLS);
});

test('what is paused says why and until when, and is tried at once where somebody asks', async () => {
  await change({ modelReading: 'decide' });
  await handOver();
  await rows(sql`
    insert into model_readers (agent_id, workspace_id, troubles, trouble, reason, paused_at, next_try_at)
    select id, workspace_id, 5, 'money', 'There is no money left.', now(), now() + interval '1 hour' from agents
    where id = ${agentId} returning agent_id`);
  const pause = { kind: 'money', reason: 'There is no money left.', until: expect.any(String) };
  expect(await reading()).toMatchObject({ pause });
  const { status } = await world.ask('POST', `${path()}/try-now`, { as: token });
  expect(status).toBe(200);
  const [due] = await rows(sql`
    select next_try_at <= clock_timestamp() as yes from model_readers where agent_id = ${agentId}`);
  expect(due).toEqual({ yes: true });
});

test('a month that is used up says so, and what was spent with the share that caches held', async () => {
  await change({ modelReading: 'decide', modelBudgetUsd: 0.5 });
  await handOver();
  await rows(sql`
    insert into model_reading_months (agent_id, month, workspace_id, questions, input_tokens, cached_input_tokens,
      output_tokens, charged_nano_usd)
    select id, date_trunc('month', now() at time zone 'UTC')::date, workspace_id, 80, 500000, 350000, 40000, 500000000
    from agents where id = ${agentId} returning agent_id`);
  expect(await reading()).toMatchObject({
    month: { questions: 80, cachedShare: 0.7, usd: 0.5 },
    pause: { kind: 'budget', until: expect.stringMatching(/-01T00:00:00.000Z$/) },
  });
});

test('earlier calls are read after a look at what that costs, newest first, and ordered once', async () => {
  await change({ modelReading: 'decide', modelShare: 'suspected', modelBudgetUsd: 3 });
  await handOver();
  const body = { newest: 10 };
  const preview = await world.ask('POST', `${path()}/history/preview`, { as: token, body });
  expect(preview.body).toMatchObject({ calls: 10, estimate: { calls: 10, usd: expect.any(Number) }, leftUsd: 3 });
  expect(await inState('waiting')).toHaveLength(SUSPECTED);
  await world.ask('POST', `${path()}/history`, { as: token, body });
  expect((await inState('waiting')).toSorted()).toEqual([...ids.slice(0, SUSPECTED), ...ids.slice(-10)].toSorted());
  // What a person ordered does not go because the share changes.
  await change({ modelSharePercent: 0 });
  expect(await inState('waiting')).toHaveLength(SUSPECTED + 10);
});

test('without a model there is nothing to order, and a model without a price says that nobody knows the cost', async () => {
  world.services.reader = { ...READER, price: undefined };
  expect(await reading()).toMatchObject({
    model: { priced: false },
    notes: [expect.stringContaining('has no price')],
    estimate: { usd: null },
  });
  world.services.reader = null;
  expect(await reading()).toMatchObject({ model: null, estimate: null, pause: null });
  expectFailure(await world.ask('POST', `${path()}/history`, { as: token, body: {} }), 409, 'reading_not_configured');
});

test('a call says how a model read it and what that cost', async () => {
  const one = `/v1/agents/${agentId}/calls/${ids[0]}`;
  expect((await world.get(one, token)).body.modelReading).toBeNull();
  await change({ modelReading: 'decide' });
  await handOver();
  await rows(sql`
    update model_readings set state = 'done', charged_nano_usd = 900000 where call_id = ${ids[0]} returning call_id`);
  expect((await world.get(one, token)).body.modelReading).toEqual({
    state: 'read',
    model: 'small-one',
    usd: 0.0009,
    reason: null,
  });
});

test('an agent that is made where a model is configured begins with it, within a bound', async () => {
  const { body } = await world.ask('POST', '/app/agents', {
    as: token,
    body: { platform: 'file', providerAgentId: `new ${agentId}` },
  });
  const made = await world.get(`/app/agents/${body.id}/settings`, token);
  expect(made.body).toMatchObject({ modelReading: 'decide', modelBudgetUsd: 10 });
});

test('the plan shows what reading took in the month, agent by agent, those that cost most first', async () => {
  const other = await world.makeAgent();
  await handOver();
  await rows(
    sql`update model_readings set state = 'done' where agent_id = ${agentId} and call_id = ${ids[0]} returning 1`,
  );
  const spend = (id: string, nanoUsd: number) =>
    rows(sql`
      insert into model_reading_months (agent_id, workspace_id, month, questions, input_tokens, cached_input_tokens,
        cache_write_tokens, output_tokens, charged_nano_usd)
      select id, workspace_id, date_trunc('month', now() at time zone 'UTC')::date, 3, 1000, 600, 0, 90, ${nanoUsd}
      from agents where id = ${id} returning agent_id`);
  await spend(agentId, 2_000_000);
  await spend(other, 5_000_000);
  const { reading: shown } = (await world.get('/app/plan', token)).body;
  const mine = shown.agents.filter((one: Loose) => [agentId, other].includes(one.agentId));
  expect(mine).toMatchObject([
    { agentId: other, read: 0, waiting: 0, usd: 0.005 },
    { agentId, read: 1, waiting: CALLS - 1, usd: 0.002 },
  ]);
  expect(shown.cachedShare).toBeGreaterThan(0);
  expect(shown.usd).toBeCloseTo(shown.agents.reduce((sum: number, { usd }: Loose) => sum + usd, 0));
});
