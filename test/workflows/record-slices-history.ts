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
 * Records a backfill in slices of time that is paused, and whose cursor expires meanwhile:
 *
 *     node test/workflows/record-slices-history.ts
 */
const vault = createVault(TEST_SECRET);
const machine = await startMachine();
const platform = await startStandInPlatform();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker({ EARSHOT_NO_POLL: '1' });
  for (let at = 0; at < 130; at += 1)
    platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 300 + at }));
  for (let at = 0; at < 120; at += 1)
    platform.calls.set(`old_${at}`, retellCall(`old_${at}`, { minutesAgo: 10 * 24 * 60 + at }));
  platform.keptBack = /^old_11\d$/;
  const em = machine.database.em();
  const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url });
  const request = await createImport(em, { ...agent, kind: 'first', limit: null, from: null });
  const entry = importEntry({ ...agent, agentName: 'Restaurant', pollSeconds: null }, request);
  await addToOutbox(em, { entry, ...agent });
  const backfill = temporal.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));
  const progress = () => backfill.query<ImportProgress>(IMPORT_PROGRESS);

  await untilTrue(async () => (await progress()).waitsFor !== null);
  await backfill.signal('pause');
  await backfill.signal('tryNow');
  await untilTrue(async () => (await progress()).stage === 'paused');
  platform.keptBack = null;
  platform.next.push({ status: 422 });
  await backfill.signal('goOn');
  await backfill.result();

  await recordHistory('backfill-in-slices', backfill);
} finally {
  await temporal.close();
  await platform.close();
  await machine.close();
}
