import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Turn } from '../../src/domain/calls/call.ts';
import { makeSignal, turn } from '../support/analysed-calls.ts';
import { minute, seedCalls } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let agentId: string;
let token: string;
let ids: string[];
let preview: string;

/** A call on which one tool took so long. */
function turns(latencyMs: number): Turn[] {
  return [
    turn(0, 'agent', 'Hello, how can I help?'),
    turn(1, 'caller', 'Is a table free tonight?'),
    { ...turn(2, 'agent', 'One moment.'), toolCall: { id: 'a', name: 'find_table', args: {} } },
    {
      ...turn(3, 'tool', ''),
      toolResult: { id: 'a', name: 'find_table', ok: true, okSource: 'flag', body: { free: true }, latencyMs },
    },
    turn(4, 'agent', 'Yes, one is free.'),
  ];
}

beforeAll(async () => {
  world = await createWorld();
  token = await world.token();
  agentId = await world.makeAgent();
  preview = `/app/agents/${agentId}/thresholds/preview`;
  const slow = makeSignal({ code: 'tool_slow', turnIndex: 3, quote: '' });
  ids = await seedCalls(
    world,
    agentId,
    [2_000, 6_000, 60_000].map((latencyMs, at) => ({
      call: { providerCallId: `call ${at}`, startedAt: minute(at), turns: turns(latencyMs), timing: 'exact' as const },
      analysis: { signals: latencyMs > 5_000 ? [slow] : [] },
    })),
  );
});
afterAll(() => world.close());

const ask = (body: object, as = token) => world.ask('POST', preview, { as, body });
const ofSlow = (body: Loose) => body.signals.find((row: Loose) => row.code === 'tool_slow');

test('a lower threshold says which signals it would add, with examples, and changes nothing', async () => {
  const { body } = await ask({ thresholds: { tool_slow: { slowMs: 1_000 } } });
  expect(body).toMatchObject({ asked: 3, calls: 3, message: expect.stringContaining('Nothing was changed') });
  expect(body.signals).toHaveLength(1);
  expect(ofSlow(body).added).toMatchObject({ signals: 1, calls: 1, examples: [{ callId: ids[0], turnIndex: 3 }] });
  expect(ofSlow(body).withdrawn.signals).toBe(0);
  const { rows } = await sql`select 1 from calls where agent_id = ${agentId} and reanalyse`.execute(
    world.database.em().getKysely(),
  );
  expect(rows).toEqual([]);
  expect((await world.get(`/app/agents/${agentId}/reanalyses`, token)).body.data).toEqual([]);
});

test('a higher threshold says what it would withdraw, and what people said about that', async () => {
  const labels = `/app/agents/${agentId}/calls/${ids[1]}/signals/labels`;
  await world.ask('POST', labels, { as: token, body: { code: 'tool_slow', turnIndex: 3, label: 'wrong' } });
  const { body } = await ask({ thresholds: { tool_slow: { slowMs: 10_000 } } });
  expect(ofSlow(body)).toMatchObject({
    before: { signals: 2, calls: 2 },
    after: { signals: 1, calls: 1 },
    withdrawn: { signals: 1, labels: { right: 0, wrong: 1 }, examples: [{ callId: ids[1] }] },
    kept: { signals: 1, labels: { right: 0, wrong: 0 } },
  });
});

test('another meaning of tool answers says which signals it would add, and only those', async () => {
  const toolRules = [{ tool: 'find_table', means: 'failed', field: 'free', values: ['true'] }];
  const { body } = await ask({ thresholds: {}, toolRules });
  const failed = body.signals.find((row: Loose) => row.code === 'tool_failed');
  expect(failed).toMatchObject({
    before: { calls: 0 },
    added: { signals: 3, calls: 3, examples: [{ turnIndex: 3 }, {}, {}] },
  });
  expect(body.signals.every((row: Loose) => row.added.signals + row.withdrawn.signals > 0)).toBe(true);
  const same = await ask({ thresholds: {}, toolRules: [] });
  expect(same.body).toMatchObject({ calls: 0, signals: [], message: expect.stringContaining('nothing would change') });
  const settings = await world.get(`/app/agents/${agentId}/settings`, token);
  expect(settings.body.toolRules).toEqual([]);
});

test('only the newest calls that were asked for are read', async () => {
  const { body } = await ask({ thresholds: { tool_slow: { slowMs: 10 } }, calls: 1 });
  expect(body).toMatchObject({ asked: 1, calls: 1 });
});

test("a call is compared with what the agent's calls cost", async () => {
  const other = await world.makeAgent();
  const cost = (at: number) => (at === 7 ? 4 : 0.1 + (at % 5) / 100);
  const calls = Array.from({ length: 120 }, (_, at) => ({
    call: { providerCallId: `call ${at}`, startedAt: minute(at), costUsd: cost(at) },
    analysis: {},
  }));
  const dear = (await seedCalls(world, other, calls))[7];
  const previewed = (thresholds: object) =>
    world.ask('POST', `/app/agents/${other}/thresholds/preview`, { as: token, body: { thresholds } });
  const { body } = await previewed({ cost_outlier: { timesMedian: 50, timesMedianLeast: 50 } });
  expect(body).toMatchObject({
    calls: 120,
    signals: [{ code: 'cost_outlier', after: { calls: 0 }, withdrawn: { calls: 1, examples: [{ callId: dear }] } }],
  });
  const few = (await previewed({ cost_outlier: { calls: 500 } })).body;
  expect(few.signals).toMatchObject([{ before: { calls: 1 }, after: { calls: 0 } }]);
});

test('the thresholds in force are no change', async () => {
  const { body } = await ask({ thresholds: {} });
  expect(body).toMatchObject({ calls: 0, signals: [], message: expect.stringContaining('in force') });
});

test('a threshold that nobody reads, and too many calls, are refused', async () => {
  const unknown = await ask({ thresholds: { tool_slow: { slow: 1 } } });
  expectFailure(unknown, 400, 'invalid_parameter', 'thresholds.tool_slow.slow');
  expectFailure(await ask({ thresholds: {}, calls: 501 }), 400, 'invalid_parameter', 'calls');
  expectFailure(await ask({ thresholds: {} }, world.writeKey), 403, 'people_only');
});

test('saving other thresholds has the history read again once, and saving the same does not', async () => {
  const save = (slowMs: number) =>
    world.ask('PATCH', `/app/agents/${agentId}`, { as: token, body: { thresholds: { tool_slow: { slowMs } } } });
  expect((await save(4_000)).status).toBe(200);
  expect((await save(4_000)).status).toBe(200);
  const { body } = await world.get(`/app/agents/${agentId}/reanalyses`, token);
  expect(body.data).toMatchObject([{ status: 'queued', total: 3 }]);
  expectFailure(await save(3_000), 409, 'reanalysis_in_progress');
});
