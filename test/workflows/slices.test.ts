import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createImport, reopenImport } from '../../src/db/imports/imports.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { COORDINATOR_SIGNALS, coordinatorId, importEntry } from '../../src/temporal/agent-coordinator.ts';
import {
  IMPORT_PROGRESS,
  type ImportProgress,
  type ImportRequestKey,
  importMessageEntry,
  importWorkflowId,
} from '../../src/temporal/import-calls.ts';
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
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';

const address = inject('temporalAddress');
const DAY_MINUTES = 24 * 60;

describe.skipIf(address === null)('a backfill in slices of time on a real Temporal server', () => {
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
    await holdCalls();
  });
  afterEach(() => platform.close());

  const coordinator = { agentName: 'Restaurant', pollSeconds: null };

  /** Two pages of the newest week, a page of each older one, and one that never connected. */
  async function holdCalls(): Promise<void> {
    const hold = (id: string, days: number, at: number) =>
      platform.calls.set(id, retellCall(id, { minutesAgo: days * DAY_MINUTES + 5 * at + 200 }));
    for (let at = 0; at < 150; at += 1) hold(`new_${at}`, 0, at);
    for (let at = 0; at < 120; at += 1) hold(`older_${at}`, 9, at);
    for (let at = 0; at < 40; at += 1) hold(`oldest_${at}`, 25, at);
    const { payload } = retellCall('never') as { payload: Record<string, unknown> };
    platform.calls.set('never', {
      kind: 'call',
      payload: { ...payload, call_status: 'not_connected', start_timestamp: undefined, end_timestamp: undefined },
    });
  }
  const ALL = 311;

  async function send(entry: Parameters<typeof addToOutbox>[1]['entry']): Promise<void> {
    await addToOutbox(world.database.em(), { entry, ...agent });
    await sendOutbox({ database: world.database, temporal: temporal.gateway });
  }

  async function start(limit: number | null = null): Promise<ImportRequestKey> {
    const request = await createImport(world.database.em(), { ...agent, kind: 'first', limit, from: null });
    await send(importEntry({ ...agent, ...coordinator }, request));
    return request;
  }

  interface Row {
    status: string;
    listed: number;
    stored: number;
    readBackTo: string | null;
    [column: string]: unknown;
  }
  async function row({ importId }: ImportRequestKey): Promise<Row> {
    const { rows } = await sql<Row>`
      select status, listed, stored, unchanged, analysed, waiting, failed, ongoing, gone, reason,
        slice->>'before' as "readBackTo" from imports where id = ${importId}`.execute(world.database.em().getKysely());
    const [found] = rows;
    if (!found) throw new Error('The import has no row.');
    return found;
  }
  const ended = (request: ImportRequestKey) =>
    untilTrue(async () => ['complete', 'failed', 'cancelled'].includes((await row(request)).status), 100_000);
  const handleOf = (request: ImportRequestKey) =>
    temporal.gateway.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));
  const progressOf = (request: ImportRequestKey) => handleOf(request).query<ImportProgress>(IMPORT_PROGRESS);

  const listings = () => platform.log.filter((line) => line.endsWith('/v3/list-calls')).length;

  test('every call is counted once, in each slice of it, and those without a start are asked for once', async () => {
    const request = await start();
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'complete',
      listed: ALL,
      stored: ALL,
      analysed: ALL,
      unchanged: 0,
    });
    // Two pages of the first week, two of the second, one each of the third and the rest, one of those without a start.
    expect(listings()).toBe(7);
  });

  test('a limit takes the newest, and nothing older is asked for', async () => {
    const request = await start(160);
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', listed: 160, stored: 160 });
    const { rows } = await sql<{ kind: string; calls: number }>`
      select split_part(provider_call_id, '_', 1) as kind, count(*)::int as calls from calls
      where agent_id = ${agent.agentId} group by 1 order by 1`.execute(world.database.em().getKysely());
    expect(rows).toEqual([
      { kind: 'new', calls: 150 },
      { kind: 'older', calls: 10 },
    ]);
    expect(listings()).toBe(3);
  });

  test('a person pauses it, calls that happen meanwhile are imported, and it goes on where it stopped', async () => {
    platform.keptBack = /^older_/;
    const request = await start();
    await untilTrue(async () => (await progressOf(request)).waitsFor !== null);
    await send(importMessageEntry(request, 'pause'));
    platform.keptBack = null;
    await send(importMessageEntry(request, 'tryNow'));
    await untilTrue(async () => (await row(request)).status === 'paused');
    const paused = await row(request);
    expect(paused.stored).toBe(150);
    expect((await progressOf(request)).stage).toBe('paused');

    platform.calls.set('live', retellCall('live', { minutesAgo: 0.01, failingTool: 'check_availability' }));
    const coordinators = temporal.gateway.client.workflow.getHandle(coordinatorId(agent.agentId));
    await coordinators.signal(COORDINATOR_SIGNALS.poll, { messageId: 'live' });
    await untilTrue(async () => {
      const { rows } = await sql<{ volume: number }>`
        select volume from issues where agent_id = ${agent.agentId} and code = 'tool_failed'`.execute(
        world.database.em().getKysely(),
      );
      return rows[0]?.volume === 1;
    });
    // What is stored is analysed on.
    const { analysed: _, waiting: __, ...read } = paused;
    expect(await row(request)).toMatchObject(read);
    expect([...platform.calls.keys()].some((id) => id.startsWith('oldest') && platform.reads(id) > 0)).toBe(false);

    await send(importMessageEntry(request, 'goOn'));
    await ended(request);
    // The call that never connected came with the poll: each listing has it.
    const shares = { stored: ALL - 1, unchanged: 1 };
    expect(await row(request)).toMatchObject({ status: 'complete', listed: ALL, ...shares, analysed: ALL - 1 });
    await coordinators.terminate('the test is over');
  });

  test('lost in Temporal while it is paused, it stays paused, and an operator lets it go on in its slice', async () => {
    platform.keptBack = /^oldest_/;
    const request = await start();
    await untilTrue(async () => (await progressOf(request)).waitsFor?.includes('back to') === true);
    await handleOf(request).signal('pause');
    platform.keptBack = null;
    await handleOf(request).signal('tryNow');
    await untilTrue(async () => (await row(request)).status === 'paused');
    const paused = await row(request);
    const asked = listings();
    await handleOf(request).terminate('the server was lost');
    await sql`update imports set status = 'paused', reason = null, finished_at = null where id = ${request.importId}`.execute(
      world.database.em().getKysely(),
    );
    await temporal.gateway.client.workflow.start('importCalls', {
      taskQueue: 'earshot-control',
      workflowId: importWorkflowId(request.importId, request.attempt),
      args: [{ ...request, ...agent, lane: 'backfill' }],
    });
    await untilTrue(async () => (await progressOf(request)).stage === 'paused');
    expect(await row(request)).toMatchObject({ status: 'paused', readBackTo: paused.readBackTo });
    await handleOf(request).signal('goOn');
    await ended(request);
    expect(await row(request)).toMatchObject({ status: 'complete', listed: ALL, stored: ALL });
    expect(listings() - asked).toBeLessThan(5);
  });

  test('a cursor that has expired begins its slice again and not the year, and counts nothing twice', async () => {
    platform.keptBack = /^older_1(0[5-9]|1\d)$/;
    const request = await start();
    await untilTrue(async () => (await progressOf(request)).waitsFor !== null);
    expect(await progressOf(request)).toMatchObject({ pages: 3, stored: 250, readBackTo: expect.any(String) });
    const before = platform.log.length;
    platform.keptBack = null;
    platform.next.push({ status: 422 });
    await handleOf(request).signal('tryNow');
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'complete',
      listed: ALL,
      stored: ALL,
      analysed: ALL,
      failed: 0,
    });
    const readAgain = platform.log.slice(before).filter((line) => /get-call\/(new|older_\d\d?$)/.test(line));
    expect(readAgain).toEqual([]);
  });

  test('a platform that never takes its own cursors ends it with what it said, and a retry tries again', async () => {
    platform.refusesCursors = true;
    const request = await start();
    await ended(request);
    expect(await row(request)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/did not accept listing calls \(422\).*begun again several times/),
      listed: 100,
      stored: 100,
    });
    platform.refusesCursors = false;
    const again = await reopenImport(world.database.em(), agent.agentId, request.importId);
    if (!again) throw new Error('The import could not be opened again.');
    await send(importEntry({ ...agent, ...coordinator }, again));
    await ended(again);
    expect(await row(again)).toMatchObject({ status: 'complete', listed: ALL, stored: ALL, analysed: ALL });
  });
});
