import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import {
  failingCall,
  GOOD_ANSWER,
  type ModelWorld,
  NANO_OF_A_QUESTION,
  openModelWorld,
} from '../support/model-world.ts';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.server.asked.length = 0;
  await world.rows(sql`delete from model_accounts returning id`);
  await world.rows(sql`delete from model_readers returning agent_id`);
});

/** A call that was read by rules and waits for the model. */
async function analysed(said?: string): Promise<string> {
  const [callId = ''] = await world.store([failingCall(newId(), said)]);
  await world.analyse([callId]);
  return callId;
}

const ledger = (callId: string) =>
  world.rows(sql`
    select ask, charged_nano_usd::float8 as nano from model_usage where subject like ${`${callId}/%`} order by ask`);

const stored = async (callId: string) =>
  (await world.rows(sql`select state, note, asks from model_readings where call_id = ${callId}`))[0];

/** Attempts as Temporal makes them, without its waits. */
async function untilOver(callId: string) {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    try {
      return await world.read(callId);
    } catch (error) {
      if ((error as { nextRetryDelay?: number }).nextRetryDelay === undefined) throw error;
    }
  }
  throw new Error('it was asked without an end');
}

describe('a model that asks to wait', () => {
  const left = async () =>
    (
      await world.rows(sql`
        select extract(epoch from limited_until - clock_timestamp())::float8 as seconds, untold from model_accounts`)
    )[0];
  const over = () => world.rows(sql`update model_accounts set limited_until = clock_timestamp() returning id`);

  test.each([429, 529, 503])(
    'by status %i is asked nothing by any agent until then, and no call is tried',
    async (status) => {
      world.server.answerWith((_, number) =>
        number === 1 ? { status, headers: { 'retry-after': '70' } } : { value: GOOD_ANSWER },
      );
      const [callId, other] = [await analysed(), await analysed()];
      const held = {
        state: 'held',
        reason: expect.stringContaining('is rate limiting questions'),
        until: expect.any(String),
      };
      expect(await world.read(callId)).toEqual(held);
      expect(await left()).toMatchObject({ seconds: expect.closeTo(70, -1) });
      expect(await world.read(other)).toEqual(held);
      expect(await world.read(callId)).toEqual(held);
      expect(world.server.asked).toHaveLength(1);
      await over();
      expect(await world.read(other)).toEqual({ state: 'read' });
      expect(await world.read(callId)).toEqual({ state: 'read' });
      expect((await ledger(callId)).map(({ ask, nano }) => [ask, nano])).toEqual([
        [1, 0],
        [2, NANO_OF_A_QUESTION],
      ]);
      expect((await ledger(other)).map(({ ask }) => ask)).toEqual([1]);
    },
  );

  test('and does not say for how long is left alone longer each time, until it answers', async () => {
    world.server.answerWith((_, number) => (number <= 3 ? { status: 429 } : { value: GOOD_ANSWER }));
    const callId = await analysed();
    for (const seconds of [5, 10, 20]) {
      expect(await world.read(callId)).toMatchObject({ state: 'held' });
      expect((await left())?.seconds).toBeGreaterThan(seconds - 3);
      expect((await left())?.seconds).toBeLessThan(seconds + 1);
      await over();
    }
    expect(await world.read(callId)).toEqual({ state: 'read' });
    expect(await left()).toMatchObject({ untold: 0 });
  });
});

describe('a broken model', () => {
  const paused = async () => (await world.rows(sql`select * from model_readers where trouble is not null`))[0];
  const due = () => world.rows(sql`update model_readers set next_try_at = clock_timestamp() returning agent_id`);

  test('is asked about five calls, then about one now and then, and goes on by itself', async () => {
    let broken = true;
    world.server.answerWith(() => (broken ? { prose: 'not json at all' } : { value: GOOD_ANSWER }));
    const calls: string[] = [];
    for (let at = 0; at < 12; at += 1) calls.push(await analysed());
    const held = { state: 'held', reason: expect.stringContaining('JSON'), until: expect.any(String) };
    for (const [at, callId] of calls.entries()) {
      if (at < 4) await expect(world.read(callId)).rejects.toThrow('JSON');
      else expect(await world.read(callId)).toEqual(held);
    }
    expect(world.server.asked).toHaveLength(5);
    expect(await paused()).toMatchObject({ trouble: 'unusable', troubles: 5, tries: 0 });

    for (let tries = 1; tries <= 4; tries += 1) {
      await due();
      expect(await world.read(calls[0] ?? '')).toEqual(held);
      expect(await world.read(calls[1] ?? '')).toEqual(held);
      expect(world.server.asked).toHaveLength(5 + tries);
      expect(await paused()).toMatchObject({ tries });
    }
    expect(await stored(calls[0] ?? '')).toMatchObject({ state: 'waiting' });

    broken = false;
    await due();
    expect(await world.read(calls[0] ?? '')).toEqual({ state: 'read' });
    expect(await paused()).toBeUndefined();
    for (const callId of calls) expect(await world.read(callId)).toEqual({ state: 'read' });
    for (const callId of calls) expect(await stored(callId)).toMatchObject({ state: 'done', note: null });
  });

  test('takes up again what was given up over its answers, and nothing that processes died over', async () => {
    let broken = true;
    world.server.answerWith(() => (broken ? { prose: 'No.' } : { value: GOOD_ANSWER }));
    const [odd, dead] = [await analysed(), await analysed()];
    await world.rows(sql`update model_readings set asks = 3 where call_id = ${dead} returning call_id`);
    expect(await untilOver(odd)).toMatchObject({ state: 'given up' });
    expect(await untilOver(dead)).toMatchObject({ state: 'given up' });
    for (let at = 0; at < 4; at += 1) await world.read(await analysed()).catch(() => null);
    expect(await paused()).toMatchObject({ trouble: 'unusable' });
    broken = false;
    await due();
    expect(await world.read(await analysed())).toEqual({ state: 'read' });
    expect(await stored(odd)).toMatchObject({ state: 'waiting' });
    expect(await stored(dead)).toMatchObject({ state: 'dropped' });
    expect(await world.read(odd)).toEqual({ state: 'read' });
  });

  test('five calls in a row are needed: an answer between begins the count anew', async () => {
    world.server.answerWith(({ material }) => (material.includes('odd') ? { prose: 'No.' } : { value: GOOD_ANSWER }));
    for (const said of ['odd', 'odd', 'odd', 'odd', 'well', 'odd', 'odd', 'odd', 'odd']) {
      await world.read(await analysed(`I want it ${said}.`)).catch(() => null);
    }
    expect(await paused()).toBeUndefined();
  });

  test.each([
    ['key', { status: 401 }],
    ['money', { status: 402 }],
    ['money', { status: 429, error: { code: 'insufficient_quota' } }],
    ['model', { status: 404 }],
  ] as const)('one that refuses the %s is asked once, with its reason', async (trouble, answer) => {
    world.server.answerWith(() => answer);
    const [callId, other] = [await analysed(), await analysed()];
    expect(await world.read(callId)).toMatchObject({ state: 'held' });
    expect(await world.read(other)).toMatchObject({ state: 'held' });
    expect(world.server.asked).toHaveLength(1);
    const { reason } = (await paused()) ?? {};
    expect(await paused()).toMatchObject({ trouble });
    expect(reason).toMatch({ key: /the key/, money: /no money or quota/, model: /the model, or the address/ }[trouble]);
    expect((await ledger(callId)).map(({ nano }) => nano)).toEqual([0]);
  });

  test('one that is in trouble is tried three times a call, and left alone after five calls', async () => {
    world.server.answerWith(() => ({ status: 500 }));
    const calls: string[] = [];
    for (let at = 0; at < 6; at += 1) calls.push(await analysed());
    for (const callId of calls) await world.read(callId).catch(() => null);
    expect(world.server.asked).toHaveLength(5);
    expect(await paused()).toMatchObject({ trouble: 'away', reason: expect.stringContaining('in trouble') });
  });

  test('one that answers under another name is not broken', async () => {
    world.server.answerWith(() => ({ value: GOOD_ANSWER, model: 'another-one-2026' }));
    expect(await world.read(await analysed())).toEqual({ state: 'read' });
    expect(await paused()).toBeUndefined();
  });
});

describe('what reading an agent may cost in a month', () => {
  const bound = (usd: number | null) =>
    world.rows(sql`update agents set model_budget_usd = ${usd} where id = ${world.agent.agentId} returning id`);
  const month = async () =>
    (
      await world.rows(sql`
        select questions, input_tokens::int as input, cached_input_tokens::int as cached,
          output_tokens::int as output, charged_nano_usd::int as nano
        from model_reading_months where agent_id = ${world.agent.agentId}`)
    )[0];
  beforeEach(async () => {
    await bound(null);
    await world.rows(sql`delete from model_reading_months returning agent_id`);
  });
  afterAll(() => bound(null));

  test('is the sum of its questions, with what caches held, and stands on the call too', async () => {
    world.server.answerWith((_, number) =>
      number === 1 ? { prose: 'No.' } : { value: GOOD_ANSWER, usage: { input: 5000, cached: 4000, output: 100 } },
    );
    const callId = await analysed();
    await untilOver(callId);
    // 1,200 of the first; a tenth for what the cache held.
    const nano = NANO_OF_A_QUESTION + (1000 * 1 + 4000 * 0.1 + 100 * 2) * 1000;
    expect(await month()).toEqual({ questions: 2, input: 6000, cached: 4000, output: 200, nano });
    const [row] = await world.rows(sql`
      select charged_nano_usd::int as nano, input_tokens as input, cached_input_tokens as cached, output_tokens as output
      from model_readings where call_id = ${callId}`);
    expect(row).toEqual({ nano, input: 6000, cached: 4000, output: 200 });
  });

  /** What is held back for one question. */
  async function heldBack(): Promise<number> {
    world.server.answerWith(() => 'cut');
    const callId = await analysed();
    await world.read(callId).catch(() => null);
    const [{ nano }] = (await ledger(callId)) as [{ nano: number }];
    await world.rows(sql`delete from model_reading_months returning agent_id`);
    world.server.asked.length = 0;
    world.server.answerWith(() => ({ value: GOOD_ANSWER }));
    return nano;
  }

  test('ends reading where it is reached, until the month is over, and names the bound', async () => {
    const nano = await heldBack();
    await bound((2 * nano) / 1e9);
    const [first, second] = [await analysed(), await analysed()];
    expect(await world.read(first)).toEqual({ state: 'read' });
    await world.rows(sql`update model_reading_months set charged_nano_usd = ${2 * nano - 1} returning agent_id`);
    const paused = await world.read(second);
    expect(paused).toEqual({ state: 'paused', bound: 'agent', freeAt: expect.stringMatching(/-01T00:00:00/) });
    expect(world.server.asked).toHaveLength(1);
    await world.rows(sql`update model_reading_months set month = month - interval '1 month' returning agent_id`);
    expect(await world.read(second)).toEqual({ state: 'read' });
  });

  test('that covers no single question says that it never will', async () => {
    await heldBack();
    await bound(0.0001);
    expect(await world.read(await analysed())).toEqual({ state: 'paused', bound: 'agent', freeAt: null });
  });

  test('is one bound for all processes: questions at once do not pass it together', async () => {
    const nano = await heldBack();
    await bound((2.5 * nano) / 1e9);
    const calls: string[] = [];
    for (let at = 0; at < 8; at += 1) calls.push(await analysed());
    const ends = await Promise.all(calls.map((callId) => world.read(callId)));
    expect((await month())?.nano).toBeLessThanOrEqual(2.5 * nano);
    expect(ends.filter(({ state }) => state === 'read').length).toBeGreaterThanOrEqual(2);
    expect(ends.filter(({ state }) => state === 'paused').length).toBeGreaterThan(0);
  });
});
