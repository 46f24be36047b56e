import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createImport } from '../../src/db/imports/imports.ts';
import { writePlan } from '../../src/db/system/plans.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry, importEntry } from '../../src/temporal/agent-coordinator.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine, WorkerProcess } from './worker-machine.ts';

const CALLS = 320;
const ALLOWED = 130;

describe.skipIf(inject('temporalAddress') === null)('calls that wait for the allowance', () => {
  let machine: WorkerMachine;
  let platform: StandInPlatform;
  let worker: WorkerProcess;
  let agent: StoredAgent;

  beforeAll(async () => {
    [machine, platform] = await Promise.all([shareMachine(), startStandInPlatform()]);
    for (let at = 0; at < CALLS; at += 1) {
      platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
    }
    agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), {
      provider: 'retell',
      baseUrl: platform.url,
    });
    worker = await machine.startWorker();
  });
  afterAll(async () => {
    await machine?.close();
    await platform?.close();
  });

  async function counted() {
    const { rows } = await sql<{ analysed: number; analyses: number; used: number; most: number }>`
      select (select count(*)::int from calls where agent_id = ${agent.agentId} and state = 'analysed') as analysed,
        (select count(*)::int from call_analyses where agent_id = ${agent.agentId}) as analyses,
        (select coalesce(min(analysed_calls), 0)::int from plan_usage where workspace_id = ${agent.workspaceId}) as used,
        (select coalesce(max(analysed_calls), 0)::int from plan_usage where workspace_id = ${agent.workspaceId}) as most
    `.execute(machine.database.em().getKysely());
    const [row] = rows;
    if (!row) throw new Error('nothing was counted');
    return row;
  }

  async function killAt(analysed: number): Promise<void> {
    await untilTrue(async () => (await counted()).analysed >= analysed);
    worker.child.kill('SIGKILL');
    await worker.ended;
    worker = await machine.startWorker();
  }

  test('are never more, never fewer and never counted twice, whenever the worker is killed', async () => {
    const em = machine.database.em();
    const coordinator = { ...agent, pollSeconds: null };
    await writePlan(em, agent.workspaceId, { plan: 'scale', set: { analysedCalls: ALLOWED } });
    const request = await em.transactional(async (tx) => {
      const made = await createImport(tx, { ...agent, kind: 'first', limit: null, from: null });
      await addToOutbox(tx, { entry: importEntry(coordinator, made), ...agent });
      return made;
    });
    await killAt(1);
    const status = async () => {
      const { rows } = await sql<{ status: string; waiting: number; analysed: number; reason: string | null }>`
        select status, waiting, analysed, reason from imports where id = ${request.importId}
      `.execute(machine.database.em().getKysely());
      return rows[0];
    };
    try {
      await untilTrue(async () => (await status())?.status === 'complete');
    } catch (error) {
      const stands = JSON.stringify([await status(), await counted()]);
      throw new Error(`The import stands at ${stands}; the worker said: ${worker.said()}`, { cause: error });
    }
    expect(await status()).toEqual({ status: 'complete', analysed: ALLOWED, waiting: CALLS - ALLOWED, reason: null });
    expect(await counted()).toEqual({ analysed: ALLOWED, analyses: ALLOWED, used: ALLOWED, most: ALLOWED });

    await em.transactional(async (tx) => {
      await writePlan(tx, agent.workspaceId, { plan: 'scale', set: {} });
      await addToOutbox(tx, { entry: analyseEntry(coordinator, { messageId: 'plan' }), ...agent });
    });
    await killAt(ALLOWED + 1);
    await untilTrue(async () => (await counted()).analysed === CALLS);
    expect(await counted()).toEqual({ analysed: CALLS, analyses: CALLS, used: CALLS, most: CALLS });
    await untilTrue(async () => (await status())?.waiting === 0);
    expect(await status()).toEqual({ status: 'complete', analysed: CALLS, waiting: 0, reason: null });
  }, 480_000);
});
