import type { WorkflowHandle } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  AGENT_COORDINATOR,
  COORDINATOR_PROGRESS,
  COORDINATOR_SIGNALS,
  type CoordinatorInput,
  type CoordinatorProgress,
} from '../../src/temporal/agent-coordinator.ts';
import { IMPORT_SIGNALS, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { type ImportWorld, lastPage, limited, newImportWorld, openImportTime } from '../support/import-time.ts';
import { untilTrue } from '../support/pipeline.ts';
import type { SkippedTime } from '../support/skipped-time.ts';

const server = inject('timeSkippingServer');
const MINUTE_MS = 60_000;
const SIGNALS_AT_ONCE = 100;

describe.skipIf(server === null)('two lanes, on a server whose time is skipped', () => {
  let world: ImportWorld;
  let time: SkippedTime;
  let env: SkippedTime['env'];

  // A server for each test: it skips no time any more once a child has ended whose parent has continued as new.
  beforeEach(async () => {
    world = newImportWorld();
    time = await openImportTime(server, world);
    ({ env } = time);
  });
  afterEach(() => time?.close());

  const startCoordinator = (input: CoordinatorInput) =>
    env.client.workflow.start<(input: CoordinatorInput) => Promise<void>>(AGENT_COORDINATOR, {
      taskQueue: TASK_QUEUES.control,
      workflowId: `agent/${input.agentId}`,
      args: [input],
    });
  const progressOf = (handle: WorkflowHandle) => handle.query<CoordinatorProgress>(COORDINATOR_PROGRESS);
  const askFor = (handle: WorkflowHandle, importId: string, lane: 'live' | 'backfill') =>
    handle.signal(COORDINATOR_SIGNALS.importRequested, { importId, attempt: 1, lane });
  const isPoll = (importId: string) => importId.startsWith('poll-');

  test('a platform that asks the live lane to wait is asked nothing by the backfill meanwhile', async () => {
    const asked: { importId: string; atMs: number }[] = [];
    let hasLimited = false;
    world.page = async (importId) => {
      const atMs = await env.currentTimeMs();
      asked.push({ importId, atMs });
      if (importId === 'live-limited' && !hasLimited) {
        hasLimited = true;
        throw limited(30 * MINUTE_MS);
      }
      if (importId === 'backfill-beside') throw limited(MINUTE_MS);
      return lastPage();
    };
    const handle = await startCoordinator({ agentId: 'limited', workspaceId: 'w', pollSeconds: null });
    await askFor(handle, 'backfill-beside', 'backfill');
    await askFor(handle, 'live-limited', 'live');
    await env.sleep('40 minutes');
    const [first, last] = asked.filter(({ importId }) => importId === 'live-limited').map(({ atMs }) => atMs);
    if (first === undefined || last === undefined) throw new Error('The live import asked less than twice.');
    expect(last - first).toBeGreaterThanOrEqual(30 * MINUTE_MS);
    const besides = asked.filter(
      ({ importId, atMs }) => importId === 'backfill-beside' && atMs > first && atMs < first + 30 * MINUTE_MS,
    );
    // One request at most was under way when the platform asked for the wait.
    expect(besides.length).toBeLessThanOrEqual(1);
    world.page = async () => lastPage();
    await env.sleep('5 minutes');
    expect(await progressOf(handle)).toMatchObject({ state: 'idle', importId: null });
    await handle.terminate();
  });

  test('an import that was ended from outside frees its lane also after the coordinator has continued as new', async () => {
    world.page = async () => {
      throw limited(20 * 60 * MINUTE_MS);
    };
    const handle = await startCoordinator({ agentId: 'lost', workspaceId: 'w', pollSeconds: null });
    await askFor(handle, 'lost', 'backfill');
    const lost = env.client.workflow.getHandle(importWorkflowId('lost', 1));
    await untilTrue(() => lost.describe().then(Boolean));
    // At once: where they took a minute, a poll would begin between them (see the server above).
    for (let at = 0; at < 1_000; at += SIGNALS_AT_ONCE) {
      const some = Array.from({ length: SIGNALS_AT_ONCE }, (_, nth) => ({ messageId: `m${(at + nth) % 7}` }));
      await Promise.all(some.map((message) => handle.signal(COORDINATOR_SIGNALS.goOn, message)));
    }
    await env.sleep('1 minute');
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    expect((await progressOf(handle)).importId).toBe('lost');
    const before = world.finished.length;
    await lost.terminate();
    await env.sleep('11 minutes');
    expect(await progressOf(handle)).toMatchObject({ state: 'idle', importId: null });
    expect(world.finished.slice(before)).toEqual([{ status: 'failed', reason: 'gone' }]);
    await handle.terminate();
  });

  test('polls go on while a backfill waits for hours, at most every five minutes, and over continue-as-new', async () => {
    let hasLimited = false;
    let polled = 0;
    world.page = async (importId) => {
      if (isPoll(importId)) polled += 1;
      else if (!hasLimited) {
        hasLimited = true;
        throw limited(20 * 60 * MINUTE_MS);
      }
      return lastPage();
    };
    const handle = await startCoordinator({ agentId: 'lanes', workspaceId: 'w', pollSeconds: 60 });
    await askFor(handle, 'backfill', 'backfill');
    await env.sleep('1 hour');
    // At once: where they took a minute, a poll would begin between them (see the server above).
    for (let at = 0; at < 1_000; at += SIGNALS_AT_ONCE) {
      const some = Array.from({ length: SIGNALS_AT_ONCE }, (_, nth) => ({ messageId: `m${(at + nth) % 7}` }));
      await Promise.all(some.map((message) => handle.signal(COORDINATOR_SIGNALS.goOn, message)));
    }
    await env.sleep('1 hour');
    const { lanes, importId } = await progressOf(handle);
    expect(lanes?.backfill).toMatch(/^import\/backfill\/1 waits for the platform: rate limit until .*, 0 stored$/);
    expect(importId).toBe('backfill');
    expect(polled).toBeGreaterThanOrEqual(22);
    expect(polled).toBeLessThanOrEqual(26);
    expect((await handle.describe()).runId).not.toBe(handle.firstExecutionRunId);
    await env.client.workflow.getHandle(importWorkflowId('backfill', 1)).signal(IMPORT_SIGNALS.tryNow);
    await untilTrue(async () => (await progressOf(handle)).lanes?.backfill === 'nothing to do');
    await handle.terminate();
  });
});
