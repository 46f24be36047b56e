import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findBacktest, insertBacktest } from '../../src/db/watches/backtests.ts';
import { findWatch, insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import { FLAGGED_SAMPLES } from '../../src/domain/watches/draw-samples.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { backtestEntry } from '../../src/temporal/backtest-watch.ts';
import { storeEarlierReadings } from '../support/earlier-readings.ts';
import { type StoredAgent, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { writtenWatch } from '../support/watches.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine, WorkerProcess } from './worker-machine.ts';

const CALLS = 900;

describe.skipIf(inject('temporalAddress') === null)('workers that are killed during a backtest', () => {
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

  test('pass over no call, judge none twice into the sums, and end with samples', async () => {
    const em = () => machine.database.within(agent.workspaceId);
    const watchId = await insertWatch(
      em(),
      writtenWatch(agent, {
        form: { scope: { kind: 'all_calls' }, expectation: { kind: 'says', text: 'sorry' }, polarity: 'must_not' },
      }),
    );
    const key = { ...agent, watchId, revision: 1 };
    await insertBacktest(em(), { ...key, createdBy: 'earshot' });
    await setWatchState(em(), watchId, 'backtesting');
    await addToOutbox(em(), { entry: backtestEntry(key), ...agent });
    const considered = async () => (await findBacktest(em(), key))?.considered ?? 0;
    await untilTrue(async () => (await considered()) > 0);
    await kill();
    await untilTrue(async () => (await considered()) > CALLS / 2);
    await kill();
    await untilTrue(async () => (await findBacktest(em(), key))?.status === 'complete');
    expect(await findBacktest(em(), key)).toMatchObject({ considered: CALLS, inScope: CALLS, flagged: CALLS });
    const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
    expect(await findWatch(em(), scope, watchId)).toMatchObject({ state: 'review', held: 0, broken: CALLS });
    const { rows } = await sql<{ samples: number }>`
      select count(*)::int as samples from watch_samples where watch_id = ${watchId}`.execute(
      machine.database.em().getKysely(),
    );
    expect(rows).toEqual([{ samples: FLAGGED_SAMPLES }]);
  }, 300_000);
});
