import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { insertReanalysis, loadReanalysis, moveReanalysis } from '../../src/db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { reanalysisEntry } from '../../src/temporal/reanalyse.ts';
import { storeEarlierReadings } from '../support/earlier-readings.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine, WorkerProcess } from './worker-machine.ts';

const CALLS = 450;

describe.skipIf(inject('temporalAddress') === null)('workers that are killed during a re-analysis', () => {
  let machine: WorkerMachine;
  let worker: WorkerProcess;
  let agent: StoredAgent;

  beforeAll(async () => {
    machine = await shareMachine();
    agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'file', baseUrl: null });
    await storeEarlierReadings(machine.database, agent, CALLS);
    worker = await machine.startWorker();
  });
  afterAll(() => machine?.close());

  async function kill(): Promise<void> {
    worker.child.kill('SIGKILL');
    await worker.ended;
    worker = await machine.startWorker();
  }

  test('lose no call, read none twice into the count, and end with everything switched on', async () => {
    const em = machine.database.within(agent.workspaceId);
    const made = {
      ...agent,
      analyserVersion: ANALYSER_VERSION,
      thresholds: null,
      appliesItself: false,
      createdBy: null,
    };
    const id = (await insertReanalysis(em, made)) ?? '';
    const order = (task: 'read' | 'apply') =>
      addToOutbox(em, { entry: reanalysisEntry({ ...agent, reanalysisId: id, task }), ...agent });
    const now = async () => {
      const row = await loadReanalysis(em, id);
      if (row === null) throw new Error('the re-analysis is gone');
      if (row.reason !== null) throw new Error(row.reason);
      return row;
    };
    await order('read');
    await untilTrue(async () => (await now()).done > 0);
    await kill();
    await untilTrue(async () => (await now()).done > 200);
    await kill();
    await untilTrue(async () => (await now()).status === 'reported');
    expect(await now()).toMatchObject({ total: CALLS, done: CALLS, failed: 0 });
    expect((await now()).report?.calls.read).toBe(CALLS);

    await moveReanalysis(em, id, ['reported'], 'applying');
    await order('apply');
    await untilTrue(async () => (await now()).applied > 0);
    await kill();
    await untilTrue(async () => (await now()).status === 'applied');
    expect((await now()).applied).toBe(CALLS);
    const { rows } = await sql<Record<string, number>>`
      select count(*) filter (where analyser_version = ${ANALYSER_VERSION})::int as current,
        count(*) filter (where 'old_code' = any(signal_codes))::int as old,
        (select count(*)::int from shadow_readings) as shadows,
        (select call_count from agents where id = ${agent.agentId}) as counted,
        (select sum(calls)::int from place_rollups where agent_id = ${agent.agentId} and place_kind = 'agent') as summed
      from calls where agent_id = ${agent.agentId}`.execute(machine.database.em().getKysely());
    expect(rows[0]).toEqual({ current: CALLS, old: 0, shadows: 0, counted: CALLS, summed: CALLS });
  }, 300_000);
});
