import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createImport } from '../../src/db/imports/imports.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import type { ImportRequestKey } from '../../src/temporal/import-calls.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';
import { type Machine, startMachine } from './machine.ts';
import { snapshotOf } from './snapshot.ts';
import type { WorkerProcess } from './worker-machine.ts';

const CALLS = 320;
/** So many that they are a pattern, whenever somebody groups. */
const DEAR = 20;
const vault = createVault(TEST_SECRET);

const costOf = (at: number) => (at < DEAR ? 120 : 10 + (at % 7));

describe.skipIf(inject('temporalAddress') === null)('an import goes on by itself, with nothing lost or doubled', () => {
  let machine: Machine;
  let platform: StandInPlatform;
  let worker: WorkerProcess;
  let faultFree: Awaited<ReturnType<typeof snapshotOf>>;

  beforeAll(async () => {
    [machine, platform] = await Promise.all([startMachine(), startStandInPlatform()]);
    for (let at = 0; at < CALLS; at += 1) {
      const shape = at % 5 === 0 ? { failingTool: 'check_availability' } : {};
      platform.calls.set(
        `call_${at}`,
        // The dear calls are the newest, which come first: what is usual shows only later.
        retellCall(`call_${at}`, { minutesAgo: 60 + at, version: 1 + (at % 2), costCents: costOf(at), ...shape }),
      );
    }
    platform.calls.set('unreadable', {
      kind: 'call',
      payload: { call_status: 'ended', start_timestamp: Date.now() - 9e6 },
    });
    worker = await machine.startWorker();
    const undisturbed = await start();
    await untilEnded(undisturbed.request);
    faultFree = await snapshotOf(machine.database, undisturbed.agent.agentId);
    // So slow that an import is still under way some moments after two thirds of its calls are stored.
    platform.delayMs = 100;
  });
  afterAll(async () => {
    await machine?.close();
    await platform?.close();
  });

  async function start(): Promise<{ agent: StoredAgent; request: ImportRequestKey }> {
    const em = machine.database.em();
    const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url });
    const request = await em.transactional(async (tx) => {
      const made = await createImport(tx, { ...agent, kind: 'first', limit: null, from: null });
      await addToOutbox(tx, { entry: importEntry({ ...agent, pollSeconds: null }, made), ...agent });
      return made;
    });
    return { agent, request };
  }

  async function standing({ importId }: ImportRequestKey) {
    const { rows } = await sql<{ status: string; stored: number; analysed: number }>`
      select status, stored, analysed from imports where id = ${importId}`.execute(machine.database.em().getKysely());
    return rows[0];
  }
  const untilStored = (request: ImportRequestKey, calls: number) =>
    untilTrue(async () => ((await standing(request))?.stored ?? 0) >= calls);
  async function untilEnded(request: ImportRequestKey): Promise<void> {
    const isFinal = (status: string | undefined) => ['complete', 'failed', 'cancelled'].includes(status ?? '');
    try {
      await untilTrue(async () => isFinal((await standing(request))?.status), 100_000);
    } catch (error) {
      const stands = JSON.stringify(await standing(request));
      throw new Error(`The import stands at ${stands}; the worker said: ${worker.said()}`, { cause: error });
    }
  }

  async function endsLikeUndisturbed({ agent, request }: Awaited<ReturnType<typeof start>>): Promise<void> {
    await untilEnded(request);
    expect(await snapshotOf(machine.database, agent.agentId)).toEqual(faultFree);
  }

  test('the undisturbed import is complete', () => {
    expect(faultFree.imports).toMatchObject([{ status: 'complete', stored: CALLS, analysed: CALLS, failed: 1 }]);
    expect(faultFree.signals.filter(({ code }) => code === 'cost_outlier')).toHaveLength(DEAR);
    expect(faultFree.counts).toMatchObject([{ transcripts: CALLS, payloads: CALLS, analyses: CALLS, grouped: true }]);
  });

  test('when the worker is killed three times on the way, work resumes within 30 seconds each time', async () => {
    // However late a kill comes, the import is not complete by then: more calls than these are not given before.
    const kills = [
      { calls: 0, given: 60 },
      { calls: 100, given: 260 },
      { calls: 200, given: 310 },
    ];
    platform.giveAtMost(0);
    const disturbed = await start();
    const gapsMs: number[] = [];
    for (const { calls, given } of kills) {
      platform.giveAtMost(given);
      await untilStored(disturbed.request, calls);
      await sleep(700);
      worker.child.kill('SIGKILL');
      await worker.ended;
      const killedAt = Date.now();
      const asked = platform.log.length;
      const stood = JSON.stringify(await standing(disturbed.request));
      expect(stood).not.toContain('"complete"');
      worker = await machine.startWorker();
      // With every call fetched, the platform is asked nothing more: then the record shows that it goes on.
      await untilTrue(
        async () => platform.log.length > asked || JSON.stringify(await standing(disturbed.request)) !== stood,
      );
      gapsMs.push(Date.now() - killedAt);
    }
    platform.giveAtMost(null);
    await endsLikeUndisturbed(disturbed);
    process.stdout.write(`work resumed after ${gapsMs.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s\n`);
    expect(Math.max(...gapsMs)).toBeLessThan(30_000);
  }, 300_000);

  test('when PostgreSQL is killed for some seconds, the worker stays and goes on', async () => {
    const disturbed = await start();
    await untilStored(disturbed.request, 100);
    await machine.killPostgres();
    await sleep(4_000);
    await machine.startPostgres();
    await endsLikeUndisturbed(disturbed);
    expect(worker.child.exitCode).toBeNull();
  }, 300_000);

  test('when Temporal is killed for some seconds, the worker stays and goes on', async () => {
    const disturbed = await start();
    await untilStored(disturbed.request, 100);
    await machine.killTemporal();
    await sleep(4_000);
    await machine.startTemporal();
    await endsLikeUndisturbed(disturbed);
    expect(worker.child.exitCode).toBeNull();
  }, 300_000);

  test('when everything is killed at once and comes back in any order, the import is complete within 120 seconds', async () => {
    const disturbed = await start();
    await untilStored(disturbed.request, 100);
    worker.child.kill('SIGKILL');
    await Promise.all([machine.killTemporal(), machine.killPostgres(), worker.ended]);
    const workerStart = machine.startWorker();
    await sleep(1_000);
    await machine.startTemporal();
    await sleep(1_000);
    await machine.startPostgres();
    worker = await workerStart;
    await endsLikeUndisturbed(disturbed);
    expect(worker.child.exitCode).toBeNull();
  }, 300_000);

  test('an order that is written while Temporal is away starts when it is back', async () => {
    await machine.killTemporal();
    const waiting = await start();
    await sleep(3_000);
    expect(await standing(waiting.request)).toMatchObject({ status: 'queued' });
    await machine.startTemporal();
    await endsLikeUndisturbed(waiting);
  }, 300_000);

  test('on SIGTERM a worker finishes what it has and ends by itself, and another goes on', async () => {
    const disturbed = await start();
    await untilStored(disturbed.request, 100);
    const second = await machine.startWorker();
    const at = Date.now();
    worker.child.kill('SIGTERM');
    const how = await worker.ended;
    expect({ how, said: how === 0 ? '' : worker.said() }).toEqual({ how: 0, said: '' });
    process.stdout.write(`the worker ended ${((Date.now() - at) / 1000).toFixed(1)} s after SIGTERM\n`);
    expect(Date.now() - at).toBeLessThan(35_000);
    worker = second;
    await endsLikeUndisturbed(disturbed);
  }, 300_000);

  test('a worker whose parent is gone ends by itself', async () => {
    worker.child.disconnect();
    expect(await worker.ended).toBe(0);
  });
});
