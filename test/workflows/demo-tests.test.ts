import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { DEMO_AGENTS, DEMO_TESTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { ensureDemoAgents } from '../../src/operations/setup/demo-agents.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { Loose } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('the tests that come with the demo', () => {
  let platform: DemoPlatform;
  let worked: WorkedWorld;
  let agents: Loose[];
  let orders: ReturnType<typeof setInterval>;
  const get = async (url: string) => (await worked.world.get(url)).body;
  const runsOf = async (agentId: string): Promise<Loose[]> => (await get(`/v1/agents/${agentId}/runs`)).data;
  const played = async (agentId: string, runId: string): Promise<Loose> => {
    const url = `/v1/agents/${agentId}/runs/${runId}`;
    await untilTrue(async () => (await get(url)).status === 'complete');
    return get(`${url}/result`);
  };
  const resultsOf = async (agentId: string, document: Loose): Promise<Record<string, string>> => {
    const { data } = await get(`/v1/agents/${agentId}/tests?limit=100`);
    const titles = new Map(data.map(({ id, title }: Loose) => [id, title]));
    return Object.fromEntries(document.cells.map(({ testId, result }: Loose) => [titles.get(testId), result]));
  };

  /** The live version has every tool and step that they name. */
  const allAreValid = async (agentId: string) => {
    const url = `/v1/agents/${agentId}/tests`;
    for (const { spec } of (await get(`${url}?limit=100`)).data) {
      const { body } = await worked.world.ask('POST', `${url}/validate`, { as: worked.world.readKey, body: { spec } });
      expect(body).toEqual({ object: 'validation', valid: true, problems: [] });
    }
  };

  beforeAll(async () => {
    platform = await startDemoPlatform({ port: 0, now: new Date() });
    worked = await startWorkedWorld(address, platform.url);
    const { database, services } = worked.world;
    const setUp = () =>
      ensureDemoAgents({
        database,
        vault: services.vault,
        demoUrl: platform.url,
        demoAgents: DEMO_AGENTS.map((agent) => ({ ...agent, tests: DEMO_TESTS.get(agent.providerAgentId) ?? [] })),
        polling: { polls: false, pollSeconds: 60 },
      });
    agents = (await setUp()).agents;
    await setUp();
    orders = setInterval(() => void sendOutbox({ database, temporal: worked.temporal.gateway }), 100);
  });
  afterAll(async () => {
    clearInterval(orders);
    await worked?.close();
    await platform?.close();
  });

  test('are there once for each agent, copies too, with a guard and one that is expected to fail', async () => {
    expect(agents).toHaveLength(3);
    for (const { agentId } of agents) {
      const { data } = await get(`/v1/agents/${agentId}/tests`);
      expect(data.length).toBeGreaterThanOrEqual(4);
      expect((await get(`/v1/agents/${agentId}`)).counts.tests).toBe(data.length);
      expect(data.filter(({ guard }: Loose) => guard)).toHaveLength(1);
      expect(data.filter((one: Loose) => one.expect === 'fail')).toHaveLength(1);
      expect(new Set(data.map(({ createdBy }: Loose) => createdBy))).toEqual(new Set(['earshot']));
    }
  });

  test('are played once by themselves, pass on the live version, and draw nothing from the plan', async () => {
    for (const { agentId } of agents) {
      await untilTrue(async () => (await runsOf(agentId)).length > 0);
      const [run, ...others] = await runsOf(agentId);
      expect(others).toEqual([]);
      expect(run).toMatchObject({ trigger: 'auto', createdBy: null });
      const document = await played(agentId, run.id);
      expect(new Set(Object.values(await resultsOf(agentId, document)))).toEqual(new Set(['passed']));
      expect(document.cells.flatMap(({ noFixture }: Loose) => noFixture)).toEqual([]);
      // What is not required is met as well.
      const expected = document.cells.filter(({ expect: wanted }: Loose) => wanted === 'pass');
      const verdicts = expected.flatMap(({ criteria }: Loose) => criteria);
      expect(verdicts.filter(({ met }: Loose) => met !== true)).toEqual([]);
      await allAreValid(agentId);
    }
    const plan = (await worked.world.ask('GET', '/app/plan', { as: await worked.world.token() })).body;
    expect(plan.used.testCalls).toBe(0);
  });

  test('show on an older version what it did wrong', async () => {
    const copy = agents[2];
    const { data } = await get(`/v1/agents/${copy.agentId}/tests?limit=100`);
    const { body: run } = await worked.world.ask('POST', `/v1/agents/${copy.agentId}/runs`, {
      as: worked.world.writeKey,
      body: { testIds: data.map(({ id }: Loose) => id), version: 2 },
    });
    const results = await resultsOf(copy.agentId, await played(copy.agentId, run.id));
    expect(results).toMatchObject({
      'Books the time that the caller takes': 'passed',
      'Owns up when the diary does not take a booking': 'failed',
      'Finds out who calls before it looks into the diary': 'passed',
    });
  });
});
