import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { asFailure } from '../../activities/shared/failures.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import {
  AGENT_COORDINATOR,
  AGENT_COORDINATOR_BEFORE,
  COORDINATOR_PROGRESS,
  COORDINATOR_SIGNALS,
  type CoordinatorInput,
  type CoordinatorProgress,
} from '../../src/temporal/agent-coordinator.ts';
import {
  IMPORT_CALLS,
  IMPORT_PROGRESS,
  IMPORT_SIGNALS,
  type ImportProgress,
  type ImportResult,
  PATIENCE,
} from '../../src/temporal/import-calls.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { EMPTY_PAGE, lastPage, limited, newImportWorld, nothingWaits, openImportTime } from '../support/import-time.ts';
import type { SkippedTime } from '../support/skipped-time.ts';

const server = inject('timeSkippingServer');
const MINUTE_MS = 60_000;

describe.skipIf(server === null)('waits of days, on a server whose time is skipped', () => {
  let time: SkippedTime;
  let env: SkippedTime['env'];
  const world = newImportWorld();

  beforeAll(async () => {
    time = await openImportTime(server, world);
    ({ env } = time);
  });
  afterAll(() => time?.close());

  const startImport = (importId: string) =>
    env.client.workflow.start<(input: object) => Promise<ImportResult>>(IMPORT_CALLS, {
      taskQueue: TASK_QUEUES.control,
      workflowId: importId,
      args: [{ importId, attempt: 1, agentId: 'a', workspaceId: 'w' }],
    });

  test('an import waits ten minutes for a rate limit, says so, and goes on by itself', async () => {
    let asked = 0;
    world.page = async () => {
      asked += 1;
      if (asked === 1) throw limited(10 * MINUTE_MS);
      return lastPage();
    };
    const startedMs = await env.currentTimeMs();
    const handle = await startImport('limited');
    await env.sleep('5 minutes');
    const progress = await handle.query<ImportProgress>(IMPORT_PROGRESS);
    expect(progress).toMatchObject({
      stage: 'waiting',
      waitsFor: expect.stringMatching(/^waits for the platform: rate limit until (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC/),
    });
    expect(await handle.result()).toMatchObject({ status: 'complete' });
    expect((await env.currentTimeMs()) - startedMs).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(asked).toBe(2);
  });

  test('a platform that stays away for a day ends the import with what it waited for', async () => {
    let asked = 0;
    world.page = async () => {
      asked += 1;
      throw asFailure(new PlatformError('unavailable', 'The platform could not answer just now (503).'), 1);
    };
    const startedMs = await env.currentTimeMs();
    const result = await (await startImport('away')).result();
    expect(result).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/\(503\)\. Waited for it too long; retry/),
    });
    const waitedMs = (await env.currentTimeMs()) - startedMs;
    expect(waitedMs).toBeGreaterThan(PATIENCE.giveUpAfterMs - PATIENCE.longestGapMs - MINUTE_MS);
    // Gaps grow to ten minutes, so that a day costs some 150 questions and not 17,000.
    expect(asked).toBeLessThan(170);
  });

  test('a paused import stays paused for a week and goes on when told', async () => {
    world.page = async () => lastPage();
    const handle = await env.client.workflow.signalWithStart<(input: object) => Promise<ImportResult>>(IMPORT_CALLS, {
      taskQueue: TASK_QUEUES.control,
      workflowId: 'paused',
      args: [{ importId: 'paused', attempt: 1, agentId: 'a', workspaceId: 'w' }],
      signal: IMPORT_SIGNALS.pause,
      signalArgs: [],
    });
    await env.sleep('7 days');
    expect(await handle.query<ImportProgress>(IMPORT_PROGRESS)).toMatchObject({ stage: 'paused' });
    await handle.signal(IMPORT_SIGNALS.goOn);
    expect(await handle.result()).toMatchObject({ status: 'complete' });
  });

  test('a long import continues as new and counts every page and call once', async () => {
    let pages = 0;
    world.page = async () => {
      pages += 1;
      const callIds = Array.from({ length: 10 }, (_, at) => `call-${pages}-${at}`);
      const totals = { ...EMPTY_PAGE, listed: 10, callIds };
      return { done: true, totals, nextCursor: pages === 420 ? null : `after ${pages}`, stalled: false };
    };
    const handle = await startImport('long');
    expect(await handle.result()).toMatchObject({ status: 'complete', stored: 4_200 });
    expect(pages).toBe(420);
    const last = env.client.workflow.getHandle('long');
    expect(await last.query<ImportProgress>(IMPORT_PROGRESS)).toMatchObject({
      pages: 420,
      analysed: 4_200,
      waiting: 0,
    });
    expect((await last.describe()).runId).not.toBe(handle.firstExecutionRunId);
  });

  test('a coordinator polls every hour for two days, and its history stays short', async () => {
    world.page = async () => lastPage();
    world.polls.length = 0;
    const handle = await startCoordinator({ agentId: 'polling', workspaceId: 'w', pollSeconds: 3_600 });
    await env.sleep('2 days');
    expect(world.polls.length).toBeGreaterThanOrEqual(46);
    expect(world.polls.length).toBeLessThanOrEqual(49);
    const { historyLength } = await handle.describe();
    expect(historyLength).toBeLessThan(1_500);
    expect(await handle.query<CoordinatorProgress>(COORDINATOR_PROGRESS)).toMatchObject({ state: 'idle' });
    await handle.terminate();
  });

  test('polls that fail come at growing gaps, an hour at most', async () => {
    world.page = async () => {
      throw asFailure(new PlatformError('unauthorised', 'The platform refused the key (401).'), 1);
    };
    world.polls.length = 0;
    const handle = await startCoordinator({ agentId: 'failing', workspaceId: 'w', pollSeconds: 60 });
    await env.sleep('1 day');
    expect(world.polls.length).toBeGreaterThan(22);
    expect(world.polls.length).toBeLessThan(35);
    await handle.terminate();
  });

  test('a message that comes twice counts once, also after the coordinator has continued as new', async () => {
    const handle = await startCoordinator({ agentId: 'messages', workspaceId: 'w', pollSeconds: null });
    const before = world.finished.length;
    const request = { importId: 'doubled', attempt: 1 };
    world.page = async () => lastPage();
    await handle.signal(COORDINATOR_SIGNALS.importRequested, request);
    await env.sleep('1 minute');
    for (let at = 0; at < 1_000; at += 1) await handle.signal(COORDINATOR_SIGNALS.pause, { messageId: `m${at % 7}` });
    await handle.signal(COORDINATOR_SIGNALS.goOn, { messageId: 'on' });
    await handle.signal(COORDINATOR_SIGNALS.importRequested, request);
    await env.sleep('1 minute');
    expect(world.finished.length - before).toBe(1);
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    await handle.terminate();
  });

  test('a coordinator that began under its earlier name goes on under the present one', async () => {
    const input = { agentId: 'renamed', workspaceId: 'w', pollSeconds: null };
    const handle = await startCoordinator(input, AGENT_COORDINATOR_BEFORE);
    for (let at = 0; at < 1_000; at += 1) await handle.signal(COORDINATOR_SIGNALS.pause, { messageId: `m${at % 7}` });
    await env.sleep('1 minute');
    const { type, searchAttributes } = await handle.describe();
    expect({ type, kind: searchAttributes['EarshotKind'] }).toEqual({ type: AGENT_COORDINATOR, kind: ['coordinator'] });
    await handle.terminate();
  });

  const startCoordinator = (input: CoordinatorInput, name: string = AGENT_COORDINATOR) =>
    env.client.workflow.start<(input: CoordinatorInput) => Promise<void>>(name, {
      taskQueue: TASK_QUEUES.control,
      workflowId: `agent/${input.agentId}`,
      args: [input],
    });

  test('a coordinator without polls sleeps for weeks until the allowance turns, then analyses what waited, oldest first', async () => {
    const turnsAtMs = (await env.currentTimeMs()) + 20 * 24 * 60 * MINUTE_MS;
    const ids = Array.from({ length: 130 }, (_, at) => `call-${at}`);
    const left = new Set(ids);
    world.analysed.length = 0;
    world.waiting = () => {
      for (const id of world.analysed) left.delete(id);
      return { own: [], others: [...left], held: null };
    };
    const held = () => ({ own: [], others: [], held: { own: 0, all: 130, until: new Date(turnsAtMs).toISOString() } });
    const now = world.waiting;
    world.waiting = held;
    const coordinator: CoordinatorInput = { agentId: 'allowance', workspaceId: 'w', pollSeconds: null };
    const handle = await env.client.workflow.start(AGENT_COORDINATOR, {
      taskQueue: TASK_QUEUES.control,
      workflowId: 'coordinator-allowance',
      args: [coordinator],
    });
    await handle.signal(COORDINATOR_SIGNALS.analyse, { messageId: 'm1' });
    await env.sleep('19 days');
    expect(world.analysed).toEqual([]);
    expect((await handle.query<CoordinatorProgress>(COORDINATOR_PROGRESS)).waitsFor).toMatch(
      /^Waits for records to be uploaded; calls wait for the allowance until /,
    );
    world.waiting = now;
    await env.sleep('2 days');
    expect(world.analysed).toEqual(ids);
    await handle.terminate();
    world.waiting = nothingWaits;
  });
});
