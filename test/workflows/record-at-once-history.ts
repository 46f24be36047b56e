import { createImport } from '../../src/db/imports/imports.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { IMPORT_PROGRESS, type ImportProgress, importWorkflowId } from '../../src/temporal/import-calls.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { retellCall, startStandInPlatform } from '../support/stand-in-platform.ts';

/**
 * Records a small import that is done at once, and one whose platform gives a part of it later:
 *
 *     node test/workflows/record-at-once-history.ts
 */
const vault = createVault(TEST_SECRET);
const machine = await startMachine();
const platform = await startStandInPlatform();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker({ EARSHOT_NO_POLL: '1' });
  for (let at = 0; at < 12; at += 1)
    platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 30 + at }));
  const em = machine.database.em();
  const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url });

  const small = await ordered();
  await small.result();
  await recordHistory('import-at-once', small);

  platform.calls.set('new', retellCall('new', { minutesAgo: 1 }));
  platform.calls.set('late', retellCall('late', { minutesAgo: 2 }));
  platform.keptBack = /^late$/;
  const waits = await ordered();
  await untilTrue(async () => (await waits.query<ImportProgress>(IMPORT_PROGRESS)).waitsFor !== null);
  platform.keptBack = null;
  await waits.signal('tryNow');
  await waits.result();
  await recordHistory('import-at-once-that-waited', waits);

  async function ordered() {
    const request = await createImport(em, { ...agent, kind: 'manual', limit: 50, from: null });
    const entry = importEntry({ ...agent, agentName: 'Restaurant', pollSeconds: null }, request);
    await addToOutbox(em, { entry, ...agent });
    const handle = temporal.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));
    await untilTrue(() =>
      handle.describe().then(
        () => true,
        () => false,
      ),
    );
    return handle;
  }
} finally {
  await temporal.close();
  await platform.close();
  await machine.close();
}
