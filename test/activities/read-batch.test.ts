import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlActivities, createModelActivities } from '../../activities/index.ts';
import { fillBatch, readBatched } from '../../src/db/models/model-batches.ts';
import { newId } from '../../src/ids.ts';
import { aboutCalls } from '../support/model-server.ts';
import {
  anthropicSettings,
  failingCall,
  GOOD_ANSWER,
  type ModelWorld,
  modelSettings,
  NANO_OF_A_QUESTION,
  openModelWorld,
} from '../support/model-world.ts';
import type { StoredAgent } from '../support/pipeline.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const SETTINGS = { openai: modelSettings, anthropic: anthropicSettings };

describe.each(['openai', 'anthropic'] as const)('a backfill that is handed over as a batch (%s)', (protocol) => {
  let world: ModelWorld;
  beforeAll(async () => {
    world = await openModelWorld({ EARSHOT_MODEL_BATCH: 'on' }, SETTINGS[protocol]);
    world.server.answerWith(({ material }) => (material.includes('late') ? 'hang' : { value: GOOD_ANSWER }));
  });
  afterAll(() => world?.close());

  /** A new process each time: nothing but the record and the provider knows of a batch. */
  const run = <Result>(name: 'sendBatch' | 'lookAtBatch' | 'takeBatch', batch: object): Promise<Result> =>
    new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
      createModelActivities(world.deps)[name] as never,
      batch as never,
    ) as Promise<Result>;

  /** @returns an agent with calls that wait, and their batch. */
  async function batched(said: readonly string[]) {
    world.server.asked.length = 0;
    const agent = await world.newAgent();
    const callIds = await world.store(
      said.map((words) => failingCall(newId(), words)),
      agent,
    );
    await world.analyse(callIds, agent);
    const em = world.database.within(agent.workspaceId);
    const batchId = (await fillBatch(em, agent, 'small-one', 1)) ?? '';
    return { agent, callIds, batch: { ...agent, batchId } };
  }

  const readings = (callIds: readonly string[]) =>
    world.rows(sql`
      select r.state, r.asks - r.forgiven as tries, r.batch_id is null as free, r.charged_nano_usd::float8 as nano,
        (select jsonb_agg(jsonb_build_object('nano', u.charged_nano_usd, 'settled', u.settled_at is not null) order by u.ask)
          from model_usage u where u.subject like r.call_id || '/%') as usage
      from model_readings r where r.call_id = any(${callIds}::uuid[]) order by array_position(${callIds}::uuid[], r.call_id)`);

  const TAKEN = {
    state: 'read',
    tries: 0,
    free: true,
    nano: NANO_OF_A_QUESTION / 2,
    usage: [{ nano: NANO_OF_A_QUESTION / 2, settled: true }],
  };

  test('is answered at half the price, and what was not answered is asked one by one', async () => {
    const { agent, callIds, batch } = await batched(['Move it to Friday.', 'Friday, please.', 'Friday, though late.']);
    const em = world.database.within(agent.workspaceId);
    expect(await run('sendBatch', batch)).toEqual({ state: 'sent', questions: 3 });
    expect(await run('lookAtBatch', batch)).toEqual({ state: 'pending', answered: 0 });
    expect(await readBatched(em, agent.agentId)).toMatchObject({ calls: 3 });
    expect(await openOnes(agent)).toEqual([]);
    expect((await readings(callIds)).map(({ usage }) => usage[0].settled)).toEqual([false, false, false]);

    world.server.batches.end();
    expect(await run('lookAtBatch', batch)).toEqual({ state: 'ended' });
    expect(await run('takeBatch', batch)).toEqual({ answered: 2, unanswered: 1 });
    const left = { state: 'waiting', tries: 0, free: true, nano: 0, usage: [{ nano: 0, settled: true }] };
    expect(await readings(callIds)).toEqual([TAKEN, TAKEN, left]);
    expect(await readBatched(em, agent.agentId)).toBeNull();
    expect(await openOnes(agent)).toEqual(expect.arrayContaining([callIds[2]]));
    expect(world.server.batches.made[0]?.forgotten).toBe(true);

    world.server.answerWith(() => ({ value: GOOD_ANSWER }));
    await new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
      createModelActivities(world.deps).readCallByModel as never,
      { ...agent, callId: callIds[2] } as never,
    );
    const [, , whole] = await readings(callIds);
    expect(whole).toMatchObject({ state: 'done', nano: NANO_OF_A_QUESTION });
    expect(whole?.usage.at(-1)).toEqual({ nano: NANO_OF_A_QUESTION, settled: true });
  });

  test('is handed over once and taken once, whatever dies between', async () => {
    world.server.answerWith(() => ({ value: GOOD_ANSWER }));
    const { callIds, batch } = await batched(['On Friday.', 'This Friday.']);
    const before = world.server.batches.made.length;
    // It reaches the provider, and the process dies before it hears so.
    world.server.batches.loseAnswer(/^POST \/v1\/(messages\/)?batches$/);
    await expect(run('sendBatch', batch)).rejects.toThrow(/^127/);
    expect(await run('sendBatch', batch)).toEqual({ state: 'sent', questions: 2 });
    expect(await run('sendBatch', batch)).toEqual({ state: 'sent', questions: 2 });
    expect(world.server.batches.made.length).toBe(before + 1);

    world.server.batches.end();
    // The answers are under way when the process dies.
    world.server.batches.loseAnswer(/(\/content|\/results)$/);
    await expect(run('takeBatch', batch)).rejects.toThrow(/^127/);
    expect(await run('takeBatch', batch)).toEqual({ answered: 2, unanswered: 0 });
    expect(await run('takeBatch', batch)).toEqual({ answered: 0, unanswered: 0 });
    expect(await readings(callIds)).toEqual([TAKEN, TAKEN]);
    expect(aboutCalls(world.server).length).toBe(2);
  });

  test('that the provider refuses is not tried again that day, and its calls are asked one by one', async () => {
    const { agent, callIds, batch } = await batched(['By Friday.', 'For Friday.']);
    const em = world.database.within(agent.workspaceId);
    await new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
      createControlActivities(world.deps).failBatch as never,
      { ...batch, reason: 'It has no batch interface.' } as never,
    );
    expect((await readings(callIds)).map(({ free, tries }) => [free, tries])).toEqual([
      [true, 0],
      [true, 0],
    ]);
    expect(await fillBatch(em, agent, 'small-one', 1)).toBeNull();
    const [row] = await world.rows(sql`select state, note from model_batches where id = ${batch.batchId}`);
    expect(row).toEqual({ state: 'failed', note: 'It has no batch interface.' });
  });

  test('is made of what waits beyond what is asked one by one, and of nothing else', async () => {
    const agent = await world.newAgent();
    const callIds = await world.store([failingCall(newId()), failingCall(newId())], agent);
    await world.analyse(callIds, agent);
    const em = world.database.within(agent.workspaceId);
    expect(await fillBatch(em, agent, 'small-one', 2)).toBeNull();
    expect(await openOnes(agent)).toHaveLength(2);
  });

  async function openOnes(agent: StoredAgent): Promise<string[]> {
    const open = (await new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
      createControlActivities(world.deps).openModelReadings as never,
      { ...agent, limit: 100 } as never,
    )) as { callIds: string[] };
    return open.callIds;
  }
});
