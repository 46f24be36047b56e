import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { insertBacktest, moveBacktest } from '../../src/db/watches/backtests.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import {
  BACKTEST_PROGRESS,
  type BacktestProgress,
  backtestChangedEntry,
  backtestEntry,
  backtestId,
} from '../../src/temporal/backtest-watch.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { startMachine } from '../faults/machine.ts';
import { makeCall } from '../support/analysed-calls.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { writtenWatch } from '../support/watches.ts';

/**
 * Records the history of a backtest that was paused, went on and drew samples:
 * `node test/workflows/record-backtest-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  await machine.startWorker();
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const calls = Array.from({ length: 120 }, (_, nth) => makeCall({ providerCallId: `call ${nth}` }));
  const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
  await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  await sql`update calls set state = 'analysed', caller_spoke = true where agent_id = ${agent.agentId}`.execute(
    machine.database.em().getKysely(),
  );
  const watchId = await insertWatch(em, writtenWatch(agent));
  const key = { ...agent, watchId, revision: 1 };
  await insertBacktest(em, { ...key, createdBy: 'earshot' });
  await setWatchState(em, watchId, 'backtesting');
  await moveBacktest(em, key, ['queued'], 'paused');
  await addToOutbox(em, { entry: backtestEntry(key), ...agent });
  const handle = temporal.client.workflow.getHandle(backtestId(key));
  const stage = async () => (await handle.query<BacktestProgress>(BACKTEST_PROGRESS)).stage;
  await untilTrue(async () => (await stage().catch(() => null)) === 'paused');
  await moveBacktest(em, key, ['paused'], 'queued');
  await addToOutbox(em, { entry: backtestChangedEntry(key), ...agent });
  await handle.result();
  await recordHistory('backtest-that-was-paused', handle);
} finally {
  await temporal.close();
  await machine.close();
}
