import type { WorkflowHandle } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { AnalysisActivities } from '../../activities/index.ts';
import type { AccountRequest } from '../../activities/poll-account/poll-account.ts';
import {
  ACCOUNT_POLLER,
  type AccountLook,
  POLLER_PROGRESS,
  POLLER_SIGNALS,
  type PollerInput,
  type PollerProgress,
  pollerId,
} from '../../src/temporal/account-poller.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { openSkippedTime, type SkippedTime } from '../support/skipped-time.ts';

const server = inject('timeSkippingServer');
const MINUTE_MS = 60_000;
const QUIET: AccountLook = { there: true, agents: 25, news: 0, apart: 0, wait: null, refused: null };
const waits = (retryAfterMs: number | null) => ({
  ...QUIET,
  wait: { retryAfterMs, rateLimited: retryAfterMs !== null, message: 'The platform asks to wait.' },
});

describe.skipIf(server === null)('the poller of an account, on a server whose time is skipped', () => {
  let time: SkippedTime;
  let env: SkippedTime['env'];
  let looks: { atMs: number; request: AccountRequest }[];
  let answer: (nth: number) => AccountLook;

  beforeEach(async () => {
    looks = [];
    answer = () => QUIET;
    const activities = (of: SkippedTime['env']): Partial<AnalysisActivities> => ({
      pollAccount: async (request) => {
        looks.push({ atMs: await of.currentTimeMs(), request });
        return answer(looks.length);
      },
    });
    time = await openSkippedTime(server, (of) => ({ [TASK_QUEUES.analysis]: activities(of) }));
    ({ env } = time);
  });
  afterEach(() => time?.close());

  const start = (pollSeconds: number | null = 60) =>
    env.client.workflow.start<(input: PollerInput) => Promise<void>>(ACCOUNT_POLLER, {
      taskQueue: TASK_QUEUES.control,
      workflowId: pollerId('c'),
      args: [{ workspaceId: 'w', connectionId: 'c', pollSeconds }],
    });
  const progressOf = (handle: WorkflowHandle) => handle.query<PollerProgress>(POLLER_PROGRESS);
  const gapsS = () => looks.slice(1).map(({ atMs }, at) => Math.round((atMs - (looks[at]?.atMs ?? 0)) / 1000));

  test('looks once an interval, reads the whole list every 15 minutes, and goes on over continue-as-new', async () => {
    const handle = await start();
    await env.sleep('5 hours');
    expect(looks.length).toBeGreaterThanOrEqual(299);
    expect(looks.length).toBeLessThanOrEqual(301);
    expect(Math.max(...gapsS())).toBeLessThanOrEqual(62);
    const whole = looks.filter(({ request }) => request.isWhole).length;
    expect(whole).toBeGreaterThanOrEqual(18);
    expect(whole).toBeLessThanOrEqual(21);
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    expect(await progressOf(handle)).toMatchObject({ state: 'idle', lastLook: 'The last look: 25 agents' });
    await handle.terminate();
  });

  test('looks back over a day once an hour and over the reach once a day, also where it takes several looks', async () => {
    const longBack = '2026-01-01T00:00:00.000Z';
    answer = (nth) => {
      const at = looks[nth - 1]?.request.lookBack?.at;
      return { ...QUIET, lookedBack: { calls: 0, at: at === null ? longBack : null } };
    };
    const handle = await start();
    await env.sleep('49 hours');
    const back = looks.flatMap(({ request }) => request.lookBack ?? []);
    // The look after one that goes on brings the rest of it along.
    for (const [nth, { depth, at }] of back.entries()) {
      expect(at).toBe(nth % 2 === 0 ? null : longBack);
      if (nth % 2 === 1) expect(depth).toBe(back[nth - 1]?.depth);
    }
    const begun = back.filter(({ at }) => at === null).map(({ depth }) => depth);
    expect(begun.length).toBeGreaterThanOrEqual(46);
    expect(begun.length).toBeLessThanOrEqual(51);
    expect(begun.filter((depth) => depth === 'reach')).toHaveLength(2);
    await handle.terminate();
  });

  test('a look back is asked for again where the look failed, and at once where a person asks for one', async () => {
    answer = (nth) => (nth === 1 ? waits(null) : { ...QUIET, lookedBack: { calls: 0, at: null } });
    const handle = await start();
    await env.sleep('10 minutes');
    expect(looks.slice(0, 3).map(({ request }) => request.lookBack?.depth)).toEqual(['day', 'day', undefined]);
    await handle.signal(POLLER_SIGNALS.poll);
    await env.sleep('1 minute');
    expect(looks.filter(({ request }) => request.lookBack)).toHaveLength(3);
    await handle.terminate();
  });

  test('a refused key is knocked on ever more rarely, and another one is tried at once', async () => {
    answer = () => ({ ...QUIET, refused: 'The platform refused the key (401).' });
    const handle = await start();
    await env.sleep('10 hours');
    // A look takes its own time, by which a gap is longer.
    expect(
      gapsS()
        .slice(0, 3)
        .map((s) => Math.floor(s / 10) * 10),
    ).toEqual([120, 240, 480]);
    expect(looks.length).toBeLessThan(18);
    const before = looks.length;
    answer = () => QUIET;
    await handle.signal(POLLER_SIGNALS.poll);
    await env.sleep('3 minutes');
    expect(looks.length).toBeGreaterThanOrEqual(before + 3);
    expect(looks[before + 1]?.request.hasFailed).toBe(false);
    await handle.terminate();
  });

  test('what the platform asks to wait is waited for, and no answer is tried again soon', async () => {
    answer = (nth) => (nth === 1 ? waits(20 * MINUTE_MS) : nth === 3 ? waits(null) : QUIET);
    const handle = await start();
    await env.sleep('2 minutes');
    expect(await progressOf(handle)).toMatchObject({ state: 'waiting' });
    await env.sleep('30 minutes');
    const [first, second, third = 0, fourth = 0] = gapsS();
    expect(first).toBeGreaterThanOrEqual(20 * 60);
    expect(second).toBeLessThanOrEqual(60);
    expect(third).toBeLessThanOrEqual(7);
    // The account's own time of the minute is kept over what came between.
    expect(Math.abs(third + fourth - 60)).toBeLessThanOrEqual(1);
    expect(looks[3]?.request.hasFailed).toBe(true);
    await handle.terminate();
  });

  test('pauses, looks as often as it is told, and when it is told alone', async () => {
    const handle = await start(null);
    await env.sleep('1 hour');
    expect(looks).toHaveLength(0);
    await handle.signal(POLLER_SIGNALS.poll);
    await env.sleep('1 minute');
    expect(looks).toHaveLength(1);
    await handle.signal(POLLER_SIGNALS.pollEvery, { pollSeconds: 300 });
    await env.sleep('1 hour');
    expect(looks.length).toBeGreaterThanOrEqual(12);
    await handle.signal(POLLER_SIGNALS.pause);
    expect((await progressOf(handle)).state).toBe('paused');
    const before = looks.length;
    await env.sleep('1 hour');
    expect(looks).toHaveLength(before);
    await handle.signal(POLLER_SIGNALS.goOn);
    await env.sleep('1 minute');
    // Its own time of the interval may come within the minute too.
    expect(looks.length - before).toBeGreaterThanOrEqual(1);
    expect(looks.length - before).toBeLessThanOrEqual(2);
    await handle.terminate();
  });

  test('ends where the connection or the last of its agents is gone', async () => {
    answer = (nth) => (nth < 3 ? QUIET : { ...QUIET, there: false });
    await (await start()).result();
    expect(looks).toHaveLength(3);
  });
});
