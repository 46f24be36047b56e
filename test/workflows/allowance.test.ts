import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { readCallAllowance } from '../../src/db/limits/allowance.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import {
  analyseEntry,
  COORDINATOR_PROGRESS,
  type CoordinatorProgress,
  coordinatorId,
} from '../../src/temporal/agent-coordinator.ts';
import { IMPORT_PROGRESS, type ImportProgress, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { sendOutbox } from '../support/outbox.ts';
import { openDeps, openNamespace, startWorkers, type TestTemporal, untilTrue } from '../support/pipeline.ts';
import { type Answered, createWorld, type World } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('the allowance of analysed calls, from the upload to the last call', () => {
  let temporal: TestTemporal;
  let world: World;
  let closeDeps: () => Promise<void>;
  let stopWorkers: () => Promise<void>;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await createWorld();
    const opened = await openDeps();
    closeDeps = opened.close;
    const deps: ActivityDeps = { ...opened.deps, database: world.database, vault: world.services.vault };
    stopWorkers = await startWorkers(deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await closeDeps?.();
    await world?.close();
    await temporal?.close();
  });

  const rows = async <Row>(query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(world.database.em().getKysely())).rows;
  const send = () => sendOutbox({ database: world.database, temporal: temporal.gateway });

  interface Agent {
    workspaceId: string;
    agentId: string;
    ask(method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown): Promise<Answered>;
  }

  async function connect(allowances: { analysedCalls: number }): Promise<Agent> {
    const owner = await world.makeWorkspaceOfOperator();
    const ask: Agent['ask'] = async (method, url, body) =>
      world.ask(method, url, { as: await world.token(owner), ...(body === undefined ? {} : { body }) });
    await ask('PATCH', '/app/plan', { plan: 'starter', allowances });
    const made = await ask('POST', '/app/agents', { platform: 'file', providerAgentId: 'calls' });
    return { workspaceId: owner.workspaceId, agentId: made.body.id, ask };
  }

  /** Uploads calls that began a minute after each other. @returns the id of their import, once it has ended. */
  async function upload(agent: Agent, from: number, count: number): Promise<string> {
    const lines = Array.from({ length: count }, (_, at) =>
      JSON.stringify({
        id: `call-${String(from + at).padStart(3, '0')}`,
        startedAt: new Date(Date.UTC(2026, 2, 10, 10, from + at)).toISOString(),
        turns: [{ role: 'caller', text: 'I want to book a table.' }],
      }),
    );
    const owner = await rows(sql<{ personId: string }>`
      select person_id as "personId" from memberships where workspace_id = ${agent.workspaceId}`);
    const started = await world.ask('POST', `/app/agents/${agent.agentId}/imports`, {
      as: await world.token({ workspaceId: agent.workspaceId, personId: owner[0]?.personId ?? '' }),
      payload: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(started.status).toBe(200);
    await send();
    const importId: string = started.body.id;
    await untilTrue(async () => (await importOf(agent, importId)).status === 'complete');
    return importId;
  }

  const importOf = async (agent: Agent, importId: string) =>
    (await agent.ask('GET', `/app/agents/${agent.agentId}/imports/${importId}`)).body;
  const analysedOf = async ({ agentId }: Agent) =>
    (
      await rows(sql<{ name: string }>`
        select provider_call_id as name from calls where agent_id = ${agentId} and state = 'analysed' order by sort_at`)
    ).map(({ name }) => name);
  const used = async (agent: Agent) => (await agent.ask('GET', '/app/plan')).body.used.analysedCalls;
  const coordinatorHandle = ({ agentId }: Agent) => temporal.gateway.client.workflow.getHandle(coordinatorId(agentId));

  test('over it an import completes and says what waits; a larger plan lets the rest go on, oldest first', async () => {
    const agent = await connect({ analysedCalls: 5 });
    const importId = await upload(agent, 0, 12);
    const words = /^waits for the analysed-call allowance until \d+ [A-Z][a-z]+(, \d\d:\d\d UTC)?: 7 calls$/;
    expect(await importOf(agent, importId)).toMatchObject({
      stored: 12,
      analysed: 5,
      waiting: 7,
      waitsFor: expect.stringMatching(words),
    });
    const list = await agent.ask('GET', `/app/agents/${agent.agentId}/imports`);
    expect(list.body.data[0].waitsFor).toMatch(words);
    const workflow = temporal.gateway.client.workflow.getHandle(importWorkflowId(importId, 1));
    const progress = await workflow.query<ImportProgress>(IMPORT_PROGRESS);
    expect(progress).toMatchObject({ stage: 'complete', waiting: 7, heldBack: expect.stringMatching(/: 7 calls$/) });
    const { currentDetails } = await workflow.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toMatch(/Waits for the analysed-call allowance until .*: 7 calls\. They are analysed then/);
    expect(await used(agent)).toBe(5);
    await untilTrue(async () =>
      /calls wait for the allowance until/.test(
        (await coordinatorHandle(agent).query<CoordinatorProgress>(COORDINATOR_PROGRESS)).waitsFor,
      ),
    );

    await agent.ask('PATCH', '/app/plan', { allowances: { analysedCalls: 8 } });
    await send();
    await untilTrue(async () => (await used(agent)) === 8);
    expect(await analysedOf(agent)).toHaveLength(8);
    await agent.ask('PATCH', '/app/plan', { plan: 'growth' });
    await send();
    await untilTrue(async () => (await analysedOf(agent)).length === 12);
    await untilTrue(async () => (await importOf(agent, importId)).waiting === 0);
    expect(await importOf(agent, importId)).toMatchObject({ stored: 12, analysed: 12, waiting: 0, waitsFor: null });
    expect(await used(agent)).toBe(4);
    const counts = await rows(sql<{ calls: number; analyses: number }>`
      select count(*)::int as calls, count(a.call_id)::int as analyses from calls c
      left join call_analyses a on a.call_id = c.id where c.agent_id = ${agent.agentId}`);
    expect(counts).toEqual([{ calls: 12, analyses: 12 }]);
  });

  test('the calls that the allowance covers are the oldest of those that wait, over several imports', async () => {
    const agent = await connect({ analysedCalls: 0 });
    const later = await upload(agent, 20, 6);
    const earlier = await upload(agent, 0, 6);
    await agent.ask('PATCH', '/app/plan', { allowances: { analysedCalls: 9 } });
    await send();
    await untilTrue(async () => (await used(agent)) === 9);
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `call-${String(from + at).padStart(3, '0')}`);
    expect(await analysedOf(agent)).toEqual([...names(0, 6), ...names(20, 3)]);
    await untilTrue(async () => (await importOf(agent, earlier)).waiting === 0);
    expect(await importOf(agent, earlier)).toMatchObject({ analysed: 6, waiting: 0, waitsFor: null });
    expect(await importOf(agent, later)).toMatchObject({
      analysed: 3,
      waiting: 3,
      waitsFor: expect.stringMatching(/: 3 calls$/),
    });
  });

  test('when the period turns, the coordinator goes on by itself', async () => {
    const agent = await connect({ analysedCalls: 3 });
    await upload(agent, 0, 5);
    expect(await used(agent)).toBe(3);
    // Four years ago and a few seconds: a month that is about to end, whatever day it is.
    await rows(sql`
      update workspaces set plan_since = now() - interval '48 months' + interval '7 seconds'
      where id = ${agent.workspaceId}`);
    const { period } = await readCallAllowance(world.database.em(), agent.workspaceId);
    await rows(sql`
      update plan_usage set starts_at = ${period.startsAt.toISOString()}::timestamptz
      where workspace_id = ${agent.workspaceId} and starts_at <> date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'`);
    const coordinator = { agentId: agent.agentId, workspaceId: agent.workspaceId, pollSeconds: null };
    await addToOutbox(world.database.em(), { entry: analyseEntry(coordinator, { messageId: 'look' }), ...coordinator });
    await send();
    await untilTrue(async () => (await analysedOf(agent)).length === 5);
    expect(await used(agent)).toBe(2);
  });
});
