import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../src/temporal/agent-coordinator.ts';
import { READER_PROGRESS, READER_SIGNALS, type ReaderProgress, readerId } from '../../src/temporal/model-reader.ts';
import { aboutCalls } from '../support/model-server.ts';
import { failingCall, GOOD_ANSWER, type ModelWorld, openModelWorld } from '../support/model-world.ts';
import { sendOutbox } from '../support/outbox.ts';
import { openNamespace, type StoredAgent, startWorkers, type TestTemporal, untilTrue } from '../support/pipeline.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('the reading by a model on a real Temporal server', () => {
  let temporal: TestTemporal;
  let world: ModelWorld;
  let stopWorkers: () => Promise<void>;
  let sending: NodeJS.Timeout;
  let agent: StoredAgent;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await openModelWorld({ EARSHOT_MODEL_SLOTS: '2' });
    stopWorkers = await startWorkers(world.deps, temporal);
    sending = setInterval(() => void sendOutbox({ database: world.database, temporal: temporal.gateway }), 200);
  });
  afterAll(async () => {
    clearInterval(sending);
    await stopWorkers?.();
    await world?.close();
    await temporal?.close();
  });
  beforeEach(async () => {
    world.server.asked.length = 0;
    await world.rows(sql`delete from model_accounts returning id`);
    agent = await world.newAgent();
  });

  async function importCalls(count: number): Promise<void> {
    const calls = Array.from({ length: count }, () => failingCall(newId()));
    await world.store(calls, agent);
    const em = world.database.within(agent.workspaceId);
    const coordinator = { ...agent, agentName: 'Practice', pollSeconds: null };
    await addToOutbox(em, { entry: analyseEntry(coordinator, { messageId: newId() }), ...agent });
  }

  const count = async (query: ReturnType<typeof sql>) => Number((await world.rows(query))[0]?.n ?? 0);
  const analysed = () =>
    count(sql`select count(*) as n from calls where agent_id = ${agent.agentId} and state = 'analysed'`);
  const inState = (state: string) =>
    count(sql`select count(*) as n from model_readings where agent_id = ${agent.agentId} and state = ${state}`);
  const standing = async () =>
    (await world.rows(sql`select * from model_readers where agent_id = ${agent.agentId}`))[0];
  const handle = () => temporal.gateway.client.workflow.getHandle(readerId(agent.agentId));
  const status = async () => (await handle().describe()).status.name;
  const progress = () => temporal.gateway.query<ReaderProgress>(readerId(agent.agentId), READER_PROGRESS);

  test('follows the rules, one call first and then a few at a time, and ends when none is left', async () => {
    let [at, most] = [0, 0];
    const order: string[] = [];
    const release: (() => void)[] = [];
    world.server.answerWith(() => ({ value: GOOD_ANSWER }));
    const { reader } = world.deps.models;
    if (reader === null) throw new Error('no model');
    const complete = reader.complete.bind(reader);
    reader.complete = async (request) => {
      at += 1;
      order.push('asked');
      most = Math.max(most, at);
      await new Promise<void>((resolve) => release.push(resolve));
      try {
        return await complete(request);
      } finally {
        at -= 1;
        order.push('answered');
      }
    };
    await importCalls(6);
    await untilTrue(async () => (await analysed()) === 6);
    await untilTrue(async () => at === 1);
    release.shift()?.();
    await untilTrue(async () => at === 2);
    const letGo = setInterval(() => release.shift()?.(), 50);
    await untilTrue(async () => (await inState('done')) === 6);
    // The words of issues are asked for after the calls, so questions are let go until the reader has ended.
    await untilTrue(async () => (await status()) === 'COMPLETED');
    clearInterval(letGo);
    reader.complete = complete;
    expect(most).toBe(2);
    // The first answer leaves what all questions have in common in the provider's cache.
    expect(order.slice(0, 2)).toEqual(['asked', 'answered']);
    expect(aboutCalls(world.server)).toHaveLength(6);
    const [row] = await world.rows(sql`
      select count(*)::int as questions, sum(charged_nano_usd)::float8 as nano from model_usage
      where agent_id = ${agent.agentId} and purpose = 'call_reading'`);
    expect(row).toEqual({ questions: 6, nano: 6 * 1_200_000 });
  });

  test('gives a call up after three questions, and reads the others', async () => {
    world.server.answerWith(({ material }) => {
      return material.includes('something odd') ? { prose: 'No.' } : { value: GOOD_ANSWER };
    });
    await world.store([failingCall(newId(), 'I want something odd.')], agent);
    await importCalls(2);
    await untilTrue(async () => (await inState('done')) === 2 && (await inState('dropped')) === 1);
    expect(aboutCalls(world.server)).toHaveLength(5);
    await untilTrue(async () => (await status()) === 'COMPLETED');
  });

  test('waits for the allowance in words, while the rules go on, and goes on when it grows', async () => {
    world.server.answerWith(() => ({ value: GOOD_ANSWER }));
    const allow = (document: string) =>
      world.rows(
        sql`update workspaces set allowances = ${document}::jsonb where id = ${agent.workspaceId} returning id`,
      );
    await allow('{"aiAllowanceUsd": 0.0001}');
    await importCalls(3);
    await untilTrue(async () => (await progress()).waitsFor !== null);
    expect((await progress()).waitsFor).toMatch(/^waits for the AI allowance until it grows; looks again at /);
    expect(await analysed()).toBe(3);
    expect(aboutCalls(world.server)).toHaveLength(0);
    await allow('{}');
    await handle().signal(READER_SIGNALS.tryNow);
    await untilTrue(async () => (await inState('done')) === 3);
  });

  test('leaves a model that is away alone for a while, and takes up every call when it is back', async () => {
    let away = true;
    world.server.answerWith(() => (away ? { status: 500 } : { value: GOOD_ANSWER }));
    await importCalls(20);
    await untilTrue(async () => (await progress()).waitsFor?.startsWith('waits for the model') === true);
    expect((await progress()).waitsFor).toMatch(/is in trouble \(status 500\); next try at /);
    expect(await inState('waiting')).toBeGreaterThanOrEqual(19);
    // Three tries of the call that goes first, four calls more in a row, and what was out meanwhile.
    const before = aboutCalls(world.server).length;
    expect(before).toBeLessThanOrEqual(11);
    await handle().signal(READER_SIGNALS.tryNow);
    await untilTrue(async () => (await standing())?.tries === 1);
    expect(aboutCalls(world.server)).toHaveLength(before + 1);
    away = false;
    await handle().signal(READER_SIGNALS.tryNow);
    await untilTrue(async () => (await inState('done')) === 20);
    expect((await standing())?.trouble).toBeNull();
  });

  test('waits as long as the account says, for all agents, and costs no call its tries', async () => {
    let told = false;
    world.server.answerWith(() => {
      if (told || aboutCalls(world.server).length < 2) return { value: GOOD_ANSWER };
      told = true;
      return { status: 429, headers: { 'retry-after': '2' } };
    });
    await importCalls(8);
    await untilTrue(async () => (await inState('done')) === 8);
    const [row] = await world.rows(sql`
      select count(*)::int as questions, max(ask)::int as asks from model_usage
      where agent_id = ${agent.agentId} and purpose = 'call_reading'`);
    expect(told).toBe(true);
    expect(row).toEqual({ questions: 9, asks: 2 });
  });
});
