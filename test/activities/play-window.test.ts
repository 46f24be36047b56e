import { CancelledFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createConversationActivities } from '../../activities/index.ts';
import { pressRun } from '../../src/db/runs/held-runs.ts';
import { loadRun } from '../../src/db/runs/runs.ts';
import { presentRun } from '../../src/operations/runs/present.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import { openPlayingWorld, type PlayingWorld } from '../support/playing.ts';
import { BOOKING, NEVER } from '../support/running.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

let world: PlayingWorld;
beforeAll(async () => {
  world = await openPlayingWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.proxy.requests.length = 0;
  world.server.asked.length = 0;
});
afterEach(() => world.proxy.interfere(() => null));

/** How each cell ended, and how many steps each of its attempts has. */
async function cellsOf([key]: readonly AttemptKey[]) {
  const rows = await world.rows(sql`
    select c.result, c.k, c.n, array(select count(s.step)::int from attempts a left join attempt_steps s on s.attempt_id = a.id
      where a.run_id = c.run_id and a.test_id = c.test_id group by a.id order by a.attempt) as steps
    from run_cells c where c.run_id = ${key?.runId} order by c.position`);
  return rows.map(({ result, k, n, steps }) => ({ result, k, n, attempts: (steps as number[]).length, steps }));
}

/** The adapter of the demo, told of each answer before it is asked for. */
function watched(beforeAnswer: () => Promise<void>, slots: number): ActivityDeps {
  const adapter = world.deps.platforms.adapter('demo');
  const { simulation } = adapter;
  if (simulation === null) throw new Error('the demo can be played');
  const told: typeof simulation = {
    ...simulation,
    async answer(...asked) {
      await beforeAnswer();
      return simulation.answer(...asked);
    },
  };
  const platforms = { ...world.deps.platforms, adapter: () => ({ ...adapter, simulation: told }) };
  return { ...world.deps, conversationSlots: slots, platforms };
}

test('each cell comes to its result, one that fails twice after two more attempts', async () => {
  const [good] = await world.cells(BOOKING, 1);
  const [bad] = await world.cells({ ...BOOKING, criteria: NEVER }, 1);
  if (!good || !bad) throw new Error('no cells');
  await world.playWindow([good]);
  await world.playWindow([bad]);
  expect(await cellsOf([good])).toMatchObject([{ result: 'passed', k: 1, n: 1, attempts: 1 }]);
  expect(await cellsOf([bad])).toMatchObject([{ result: 'failed', k: 0, attempts: expect.any(Number) }]);
  expect((await world.played(good)).state).toBe('scored');
});

test('no more calls go on at once than there are slots, and every slot is used', async () => {
  const keys = await world.cells(BOOKING, 5);
  let [now, most] = [0, 0];
  const deps = watched(async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now -= 1;
  }, 2);
  await world.playWindow(keys, deps);
  expect(most).toBe(2);
  expect((await cellsOf(keys)).map(({ result }) => result)).toEqual(Array.from({ length: 5 }, () => 'passed'));
});

test('begun again, it asks only for what is left, and a cell that fell over keeps no other from its result', async () => {
  const keys = await world.cells(BOOKING, 3);
  let answers = 0;
  const deps = watched(async () => {
    answers += 1;
    if (answers === 3) throw new Error('a fault of ours');
  }, 1);
  await expect(world.playWindow(keys, deps)).rejects.toThrow('a fault of ours');
  expect((await cellsOf(keys)).map(({ result }) => result)).toEqual([null, 'passed', 'passed']);
  world.proxy.requests.length = 0;
  await world.playWindow(keys);
  expect((await cellsOf(keys)).map(({ result }) => result)).toEqual(['passed', 'passed', 'passed']);
  const conversations = new Set(world.asked().map(({ messages }) => JSON.stringify(messages).length));
  expect(world.asked().length).toBe(conversations.size);
});

test('the slot of a call is free while its judge is asked', async () => {
  const judged = {
    ...BOOKING,
    criteria: [...BOOKING.criteria, { id: 'kind', text: 'Is kind.', required: false, check: null }],
  };
  const keys = await world.cells(judged, 2);
  const { judge } = world.withModel.models;
  if (judge === null) throw new Error('no judge');
  let isJudging = false;
  const { promise: nextCallGoesOn, resolve: tell } = Promise.withResolvers<void>();
  const playing = watched(async () => {
    if (isJudging) tell();
  }, 1);
  const complete = async (): Promise<never> => {
    isJudging = true;
    await nextCallGoesOn;
    throw new Error('a judge that was asked');
  };
  const models = { ...world.withModel.models, judge: { ...judge, complete } };
  await expect(world.playWindow(keys, { ...playing, models })).rejects.toThrow('a judge that was asked');
});

test('a run that is cancelled ends its calls, and those that wait for a slot never begin', async () => {
  const keys = await world.cells(BOOKING, 3);
  const env = new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT });
  const deps = watched(async () => {
    env.cancel();
  }, 1);
  await expect(world.playWindow(keys, deps, env)).rejects.toThrow(CancelledFailure);
  const begun = await world.rows(sql`select 1 from attempts where run_id = ${keys[0]?.runId}`);
  expect(begun.length).toBeLessThan(3);
});

test('a call that waits for its platform says so on the run, lends its slot, and asks at once when it is told to', async () => {
  const [held] = await world.cells(BOOKING, 1);
  const [other] = await world.cells(BOOKING, 1);
  if (!held || !other) throw new Error('no cells');
  await world.rows(sql`update runs set status = 'running' where id = ${held.runId}`);
  let answers = 0;
  world.proxy.interfere(({ path }) => {
    if (!path.startsWith('/agent-playground-completion/')) return null;
    answers += 1;
    return answers === 1 ? { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2055 07:28:00 GMT' } } : null;
  });
  const activity = createConversationActivities({ ...world.deps, conversationSlots: 1 }).playWindow;
  const run = ([key]: AttemptKey[]) =>
    new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(
      activity as never,
      {
        ...world.agent,
        runId: key?.runId,
        atOnce: 1,
        cells: [{ testId: key?.testId, persona: key?.persona, firstAttempt: 1 }],
      } as never,
    );
  const waits = run([held]);
  const em = world.database.within(held.workspaceId);
  await expect.poll(async () => (await loadRun(em, held.runId))?.heldUntil).not.toBeNull();
  const shown = presentRun((await loadRun(em, held.runId)) ?? raise());
  expect(shown.message).toMatch(/^Waits for the platform until \d{4}-\d\d-\d\d \d\d:\d\d UTC: .*\(429\)/);
  // The account's limit is of no concern here: only the one slot is.
  await world.rows(sql`update platform_connections set limited_until = null, live_limited_until = null`);
  await run([other]);
  expect(await cellsOf([other])).toMatchObject([{ result: 'passed' }]);
  expect(await cellsOf([held])).toMatchObject([{ result: null }]);
  expect(await pressRun(em, held.runId)).toBe(true);
  await waits;
  expect(await cellsOf([held])).toMatchObject([{ result: 'passed', attempts: 1 }]);
  expect(presentRun((await loadRun(em, held.runId)) ?? raise()).message).toBeNull();
});

function raise(): never {
  throw new Error('the run is gone');
}
