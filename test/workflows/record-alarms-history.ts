import { writeAlarm } from '../../src/db/alarms/alarms.ts';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { ALARM_SIGNALS, ALARMS_PROGRESS, alarmsEntry } from '../../src/temporal/alarms.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { startMachine } from '../faults/machine.ts';
import { abandonedCalls } from '../support/alarms.ts';
import { makeCall } from '../support/analysed-calls.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of alarms that were looked at, waited for the next window, were woken, and were turned off:
 * `node test/workflows/record-alarms-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker();
  const vault = createVault(TEST_SECRET);
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const call = makeCall({ providerCallId: 'one' });
  await storeCalls(em, { ...agent, importId: null, vault, calls: [{ payload: { id: 'one' }, call }] });
  const put = async (isOn: boolean) => {
    const settings = { slug: 'abandoned', name: 'Abandoned', rule: abandonedCalls(), isOn };
    await writeAlarm(em, agent, settings, 'earshot', false);
  };
  await put(true);
  const entry = alarmsEntry(agent);
  await addToOutbox(em, { entry, ...agent });
  const handle = temporal.client.workflow.getHandle(entry.workflowId);
  const waits = () =>
    untilTrue(async () => {
      const progress = await handle.query<{ waitsFor: string }>(ALARMS_PROGRESS).catch(() => null);
      return progress?.waitsFor.startsWith('Waits until') === true;
    });
  await waits();
  await put(false);
  await handle.signal(ALARM_SIGNALS.moved);
  await handle.result();
  await recordHistory('alarms-of-an-agent', handle);
} finally {
  await temporal.close();
  await machine.close();
}
