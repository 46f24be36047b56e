import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { createImport, reopenImport } from '../../src/db/imports/imports.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import {
  COORDINATOR_PROGRESS,
  COORDINATOR_SIGNALS,
  type CoordinatorProgress,
  coordinatorId,
  importEntry,
} from '../../src/temporal/agent-coordinator.ts';
import {
  IMPORT_CALLS,
  IMPORT_PROGRESS,
  type ImportProgress,
  type ImportRequestKey,
  importWorkflowId,
} from '../../src/temporal/import-calls.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openDeps,
  openNamespace,
  type PipelineDeps,
  type StoredAgent,
  startWorkers,
  storeAgent,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';
import { runningTimers } from '../support/running-timers.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('an import on a real Temporal server', () => {
  let temporal: TestTemporal;
  let world: PipelineDeps;
  let stopWorkers: () => Promise<void>;
  let platform: StandInPlatform;
  let agent: StoredAgent;

  beforeAll(async () => {
    temporal = await openNamespace(address ?? '');
    world = await openDeps();
    stopWorkers = await startWorkers(world.deps, temporal);
  });
  afterAll(async () => {
    await stopWorkers?.();
    await world?.close();
    await temporal?.close();
  });
  beforeEach(async () => {
    platform = await startStandInPlatform();
    agent = await storeAgent(world.database.em(), world.deps.vault, { provider: 'retell', baseUrl: platform.url });
  });
  afterEach(() => platform.close());

  const coordinator = (pollSeconds: number | null = null) => ({ ...agent, agentName: 'Restaurant', pollSeconds });

  async function order(request: ImportRequestKey, pollSeconds: number | null = null): Promise<void> {
    await addToOutbox(world.database.em(), { entry: importEntry(coordinator(pollSeconds), request), ...agent });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
  }

  async function start(limit: number | null = null): Promise<ImportRequestKey> {
    const em = world.database.em();
    const request = await em.transactional(async (tx) => {
      const made = await createImport(tx, { ...agent, kind: 'first', limit, from: null });
      await addToOutbox(tx, { entry: importEntry(coordinator(), made), ...agent });
      return made;
    });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
    return request;
  }

  async function row({ importId }: ImportRequestKey) {
    const { rows } = await sql<Record<string, unknown>>`
      select status, listed, stored, unchanged, analysed, waiting, failed, ongoing, gone, pages, reason, attempt, refused,
        still_failed as "stillFailed"
      from imports where id = ${importId}`.execute(world.database.em().getKysely());
    return rows[0];
  }

  const ended = (request: ImportRequestKey) =>
    untilTrue(
      async () => ['complete', 'failed', 'cancelled'].includes(String((await row(request))?.['status'])),
      100_000,
    );

  const handleOf = (request: ImportRequestKey) =>
    temporal.gateway.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));
  const progressOf = (request: ImportRequestKey) => handleOf(request).query<ImportProgress>(IMPORT_PROGRESS);

  async function details(request: ImportRequestKey): Promise<string> {
    const metadata = await handleOf(request).query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  }

  test('every call of the platform is stored and analysed once, and its fault becomes an issue', async () => {
    for (let at = 0; at < 130; at += 1) {
      const shape = at % 4 === 0 ? { failingTool: 'check_availability' } : {};
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at, ...shape }));
    }
    const request = await start();
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'complete',
      listed: 130,
      stored: 130,
      analysed: 130,
      waiting: 0,
      failed: 0,
      reason: null,
    });
    const { rows } = await sql<{ code: string; volume: number }>`
      select code, volume from issues where agent_id = ${agent.agentId} and code = 'tool_failed'
    `.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ code: 'tool_failed', volume: 33 }]);
    expect([...platform.calls.keys()].every((callId) => platform.reads(callId) === 1)).toBe(true);
  });

  test('calls over nothing lost: deleted ones, ones that go on and ones that cannot be read are accounted for', async () => {
    for (let at = 0; at < 10; at += 1) platform.calls.set(`good_${at}`, retellCall(`good_${at}`));
    platform.calls.set('deleted', { kind: 'gone' });
    platform.calls.set('going_on', { kind: 'ongoing' });
    platform.calls.set('unreadable', {
      kind: 'call',
      payload: { call_status: 'ended', start_timestamp: Date.now() - 9e6 },
    });
    platform.calls.set('broken', { kind: 'status', status: 500 });
    const request = await start();
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'complete',
      listed: 14,
      stored: 10,
      analysed: 10,
      failed: 2,
      ongoing: 1,
      gone: 1,
    });
    expect(platform.reads('broken')).toBe(3);

    platform.calls.set('unreadable', retellCall('unreadable'));
    platform.calls.set('broken', retellCall('broken'));
    const again = await reopenImport(world.database.em(), agent.agentId, request.importId);
    if (!again) throw new Error('the import could not be opened again');
    await order(again);
    await ended(again);
    expect(await row(again)).toMatchObject({ status: 'complete', attempt: 2, stored: 12, analysed: 12, failed: 0 });
  });

  test('a rate limit is waited out in words, and what was stored before it is not read again', async () => {
    for (let at = 0; at < 30; at += 1)
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
    platform.delayMs = 40;
    const request = await start();
    await untilTrue(async () => platform.log.some((line) => line.startsWith('GET /v2/get-call')));
    platform.next.push({ status: 429, headers: { 'retry-after': '600' } });
    await untilTrue(async () => (await progressOf(request)).stage === 'waiting');
    const progress = await progressOf(request);
    expect(progress.waitsFor).toMatch(
      /^waits for the platform: rate limit until (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC, 0 stored/,
    );
    expect(await details(request)).toContain('Signals: `tryNow` ends the wait at once');
    await untilTrue(async () => {
      const { rows } = await sql<{
        waitsFor: string;
      }>`select waits_for as "waitsFor" from imports where id = ${request.importId}`.execute(
        world.database.em().getKysely(),
      );
      return rows[0]?.waitsFor === progress.waitsFor;
    });
    await handleOf(request).signal('tryNow');
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', stored: 30, analysed: 30 });
    expect([...platform.calls.keys()].every((callId) => platform.reads(callId) <= 2)).toBe(true);
  });

  test('a dead platform is waited out, and a refused key ends the import with what to do', async () => {
    platform.calls.set('call', retellCall('call'));
    platform.always = { status: 503 };
    const request = await start();
    // It asks again in between, so that what is shown may be gone a moment later.
    let waitsFor: string | null = null;
    await untilTrue(async () => (waitsFor = (await progressOf(request)).waitsFor) !== null);
    expect(waitsFor).toMatch(/^waits for the platform: Retell could not answer .* \(503\); next try at/);
    platform.always = null;
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', stored: 1 });

    platform.always = { status: 401 };
    const refused = await start();
    await ended(refused);
    expect(await row(refused)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/refused the key \(401\).*Put a working key into the agent's connection/),
      refused: true,
    });
  });

  test('a platform that lists calls and gives none is given up on in a sentence, and keeps what it had given', async () => {
    const patience = { firstGapMs: 100, longestGapMs: 400, giveUpAfterMs: 1_500 };
    await stopWorkers();
    stopWorkers = await startWorkers({ ...world.deps, patience }, temporal);
    try {
      platform.calls.set('given', retellCall('given'));
      for (let at = 0; at < 20; at += 1) {
        platform.calls.set(`kept_back_${at}`, { kind: 'status', status: 503 });
      }
      const request = await start();
      await ended(request);
      expect(await row(request)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('Waited for it too long; retry the import when the platform answers.'),
      });
    } finally {
      await stopWorkers();
      stopWorkers = await startWorkers(world.deps, temporal);
    }
  });

  test('pause stops the next page, go on continues, cancel keeps what is stored', async () => {
    for (let at = 0; at < 600; at += 1)
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
    platform.delayMs = 20;
    const request = await start();
    await untilTrue(async () => platform.log.some((line) => line.startsWith('GET /v2/get-call')));
    await handleOf(request).signal('pause');
    const isIdle = async () => (await handleOf(request).describe()).raw.pendingActivities?.length === 0;
    await untilTrue(async () => (await row(request))?.['status'] === 'paused' && (await isIdle()));
    // On a busy machine the signal may come a page later.
    const { pages, stage } = await progressOf(request);
    expect(stage).toBe('paused');
    expect(pages).toBeLessThan(5);
    await handleOf(request).signal('goOn');
    await untilTrue(async () => (await progressOf(request)).pages > pages);
    await handleOf(request).signal('cancel');
    await ended(request);
    const end = await row(request);
    expect(end).toMatchObject({ status: 'cancelled', waiting: 0 });
    expect(end?.['analysed']).toBe(end?.['stored']);
    expect(end?.['stored']).toBeGreaterThan(100 * pages);
  });

  test('an import that is terminated in Temporal ends as failed, and its retry goes on from the page it had reached', async () => {
    for (let at = 0; at < 250; at += 1)
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
    platform.delayMs = 20;
    const request = await start();
    await untilTrue(async () => ((await row(request))?.['pages'] ?? 0) === 1);
    await handleOf(request).terminate('an operator did it');
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'failed',
      reason: 'The import was terminated in Temporal. Retry it.',
      stored: 100,
    });
    platform.delayMs = 0;
    const again = await reopenImport(world.database.em(), agent.agentId, request.importId);
    if (!again) throw new Error('the import could not be opened again');
    await order(again);
    await ended(again);
    expect(await row(again)).toMatchObject({ status: 'complete', listed: 250, stored: 250, analysed: 250, waiting: 0 });
    const { rows } = await sql<{
      calls: number;
    }>`select call_count as calls from agents where id = ${agent.agentId}`.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ calls: 250 }]);
  });

  test('uploaded lines become calls; a bad line is kept with its number and the rest imports', async () => {
    const file = await storeAgent(world.database.em(), world.deps.vault, { provider: 'file', baseUrl: null });
    const em = world.database.within(file.workspaceId);
    const request = await createImport(em, { ...file, kind: 'file', limit: null, from: null });
    const record = (id: string) =>
      JSON.stringify({
        id,
        turns: [
          { role: 'agent', text: 'Hello?' },
          { role: 'caller', text: `I need help with ${id}.` },
        ],
      });
    const texts = [record('a'), '{not json', record('b'), '{"turns": 4}', record('c')];
    const lines = texts.map((text, at) => ({ line: at + 1, sealedPayload: world.deps.vault.seal(text) }));
    await storeUploadedLines(em, request.importId, lines);
    await addToOutbox(em, { entry: importEntry({ ...file, pollSeconds: null }, request), ...file });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', listed: 5, stored: 3, analysed: 3, failed: 2 });
    const { rows } = await sql<{ ref: string; reason: string }>`
      select ref, reason from import_failures where import_id = ${request.importId} order by ref`.execute(
      em.getKysely(),
    );
    expect(rows.map(({ ref }) => ref.split(':').slice(0, 2).join(':'))).toEqual(['line:2', 'line:4']);
    expect(rows[0]?.reason).toBe('The line is not JSON.');
  });

  test('a new call is imported, analysed and grouped while the first import waits for its platform', async () => {
    for (let at = 0; at < 150; at += 1)
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 300 + at }));
    platform.keptBack = /^call_1\d\d$/;
    const request = await createImport(world.database.em(), { ...agent, kind: 'first', limit: null, from: null });
    await order(request, 1);
    await untilTrue(async () => (await progressOf(request)).stage === 'waiting');
    platform.calls.set('new', retellCall('new', { minutesAgo: 0.01, failingTool: 'check_availability' }));
    const coordinators = temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    await coordinators.signal(COORDINATOR_SIGNALS.poll, { messageId: 'new' });
    const em = world.database.em();
    await untilTrue(async () => {
      const { rows } = await sql<{ volume: number }>`
        select volume from issues where agent_id = ${agent.agentId} and code = 'tool_failed'`.execute(em.getKysely());
      return rows[0]?.volume === 1;
    });
    expect(await progressOf(request)).toMatchObject({ stage: 'waiting', stored: 100 });
    expect(await coordinators.query<CoordinatorProgress>(COORDINATOR_PROGRESS)).toMatchObject({
      state: 'importing',
      importId: request.importId,
      lanes: { backfill: expect.stringMatching(/waits for the platform: Retell could not answer .* 100 stored/) },
    });
    platform.keptBack = null;
    await handleOf(request).signal('tryNow');
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', stored: 150, analysed: 150, waiting: 0 });
    const { rows } = await sql<{ calls: number; bookmarkMoved: boolean }>`
      select call_count as calls, bookmark_at >= i.window_to as "bookmarkMoved" from agents a
      join imports i on i.id = ${request.importId} where a.id = ${agent.agentId}`.execute(em.getKysely());
    expect(rows).toEqual([{ calls: 151, bookmarkMoved: true }]);
    await coordinators.terminate('the test is over');
  });

  test('an import that runs already is adopted, and with nothing open no timer runs but that of the next poll', async () => {
    platform.keptBack = /^call$/;
    platform.calls.set('call', retellCall('call'));
    const request = await createImport(world.database.em(), { ...agent, kind: 'first', limit: null, from: null });
    await temporal.gateway.client.workflow.start(IMPORT_CALLS, {
      taskQueue: TASK_QUEUES.control,
      workflowId: importWorkflowId(request.importId, request.attempt),
      args: [{ ...request, ...agent }],
    });
    await untilTrue(async () => (await progressOf(request)).stage === 'waiting');
    await order(request, 3_600);
    const coordinators = temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    const progress = () => coordinators.query<CoordinatorProgress>(COORDINATOR_PROGRESS);
    await untilTrue(async () => (await progress()).importId === request.importId);
    platform.keptBack = null;
    await handleOf(request).signal('tryNow');
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', stored: 1 });
    await untilTrue(async () => (await progress()).state === 'idle' && (await runningTimers(coordinators)) === 1);
    await coordinators.terminate('the test is over');
  });

  test('the coordinator runs one import after the other and takes a message that comes twice once', async () => {
    platform.calls.set('call', retellCall('call'));
    const first = await start();
    const second = await start();
    await order(first);
    await order(second);
    await ended(first);
    await ended(second);
    const coordinators = temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    await untilTrue(async () => (await coordinators.query<CoordinatorProgress>(COORDINATOR_PROGRESS)).state === 'idle');
    expect(await coordinators.query<CoordinatorProgress>(COORDINATOR_PROGRESS)).toMatchObject({
      queued: 0,
      waitsFor: 'Waits for records to be uploaded',
    });
    expect(await row(first)).toMatchObject({ stored: 1, unchanged: 0 });
    expect(await row(second)).toMatchObject({ stored: 0, unchanged: 1 });
    expect(await runningTimers(coordinators)).toBe(0);
  });

  test('a poll brings new calls, and polls that find nothing leave one row', async () => {
    platform.calls.set('old', retellCall('old', { minutesAgo: 30 }));
    const request = await createImport(world.database.em(), { ...agent, kind: 'first', limit: null, from: null });
    await order(request, 1);
    await ended(request);
    platform.calls.set('new', retellCall('new', { minutesAgo: 0.01 }));
    const polls = async () => {
      const { rows } = await sql<{ stored: number; attempt: number; status: string }>`
        select stored, attempt, status from imports where agent_id = ${agent.agentId} and kind = 'poll' order by created_at
      `.execute(world.database.em().getKysely());
      return rows;
    };
    await untilTrue(async () => (await polls()).some(({ stored }) => stored === 1));
    await untilTrue(async () => ((await polls()).at(-1)?.attempt ?? 0) >= 2 && (await polls()).length === 2);
    expect(platform.reads('old')).toBeLessThanOrEqual(2);
    await temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId)).terminate('the test is over');
  });

  test('a small import is two activities: all of it, and its end', async () => {
    for (const name of ['one', 'two', 'three'])
      platform.calls.set(name, retellCall(name, { minutesAgo: 30, failingTool: 'check_availability' }));
    const request = await createImport(world.database.em(), { ...agent, kind: 'manual', limit: 50, from: null });
    await order(request);
    await ended(request);
    await handleOf(request).result();
    expect(await row(request)).toMatchObject({ status: 'complete', listed: 3, stored: 3, analysed: 3, waiting: 0 });
    const { events } = await handleOf(request).fetchHistory();
    const activities = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    expect(activities.map(({ activityType }) => activityType?.name)).toEqual(['importAtOnce', 'finishImport']);
    expect(events?.length).toBeLessThanOrEqual(30);
    const { rows } = await sql<{ volume: number }>`
      select volume from issues where agent_id = ${agent.agentId} and code = 'tool_failed'
    `.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ volume: 3 }]);
  });

  test('a poll that finds nothing is one activity of at most fifteen events, and starts no workflow', async () => {
    platform.calls.set('old', retellCall('old', { minutesAgo: 600 }));
    const request = await createImport(world.database.em(), { ...agent, kind: 'first', limit: null, from: null });
    await order(request, 1);
    await ended(request);
    const handle = temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    const looks = async () => {
      const all = (await handle.fetchHistory()).events ?? [];
      const events = all.slice(all.findLastIndex((event) => event.childWorkflowExecutionCompletedEventAttributes) + 1);
      const isLook = (event: (typeof events)[number]) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === 'lookForCalls';
      return { events, at: events.flatMap((event, index) => (isLook(event) ? [index] : [])) };
    };
    await untilTrue(async () => (await looks()).at.length >= 4);
    await handle.terminate('the test is over');
    const { events, at } = await looks();
    const polls = at.slice(1).map((end, nth) => events.slice(at[nth], end));
    for (const poll of polls) {
      expect(poll.length).toBeLessThanOrEqual(15);
      expect(poll.filter((event) => event.activityTaskScheduledEventAttributes)).toHaveLength(1);
      expect(poll.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes)).toBe(false);
    }
    const { rows } = await sql<{ polls: number; status: string; bookmarkMoved: boolean }>`
      select max(p.attempt) as polls, max(p.status) as status, bool_and(a.bookmark_at > first.window_to) as "bookmarkMoved"
      from imports p join agents a on a.id = p.agent_id join imports first on first.id = ${request.importId}
      where p.agent_id = ${agent.agentId} and p.kind = 'poll'
    `.execute(world.database.em().getKysely());
    expect(rows).toEqual([{ polls: expect.any(Number), status: 'complete', bookmarkMoved: true }]);
    expect(rows[0]?.polls).toBeGreaterThanOrEqual(3);
  });
});
