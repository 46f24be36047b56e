import { createImport } from '../../src/db/imports/imports.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import {
  COORDINATOR_PROGRESS,
  COORDINATOR_SIGNALS,
  type CoordinatorProgress,
  coordinatorId,
  importEntry,
} from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { importWorkflowId } from '../../src/temporal/import-calls.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { retellCall, startStandInPlatform } from '../support/stand-in-platform.ts';

/**
 * Records a coordinator with an import in each lane, and its backfill:
 *
 *     node test/workflows/record-lanes-history.ts
 */
const vault = createVault(TEST_SECRET);
const machine = await startMachine();
const platform = await startStandInPlatform();
const temporal = await createTemporal({ address: machine.temporalAddress() });

try {
  await machine.startWorker({ EARSHOT_NO_POLL: '0', EARSHOT_POLL_SECONDS: '2' });
  for (let at = 0; at < 130; at += 1)
    platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 300 + at }));
  platform.keptBack = /^call_1\d\d$/;
  const em = machine.database.em();
  const agent = await storeAgent(em, vault, { provider: 'retell', baseUrl: platform.url });
  const request = await createImport(em, { ...agent, kind: 'first', limit: null, from: null });
  const entry = importEntry({ ...agent, agentName: 'Restaurant', pollSeconds: 2 }, request);
  await addToOutbox(em, { entry, ...agent });
  const backfill = temporal.client.workflow.getHandle(importWorkflowId(request.importId, request.attempt));
  const coordinator = temporal.client.workflow.getHandle(coordinatorId(agent.agentId));
  const progress = () => coordinator.query<CoordinatorProgress>(COORDINATOR_PROGRESS);

  await untilTrue(async () => (await progress()).lanes?.backfill.includes('waits for the platform') === true);
  platform.calls.set('new', retellCall('new', { minutesAgo: 0.01 }));
  await coordinator.signal(COORDINATOR_SIGNALS.poll, { messageId: 'm1' });
  await untilTrue(async () => platform.reads('new') > 0);
  platform.keptBack = null;
  await backfill.signal('tryNow');
  await untilTrue(async () => (await progress()).state === 'idle');
  await coordinator.signal(COORDINATOR_SIGNALS.pause, { messageId: 'm2' });
  await untilTrue(async () => (await progress()).state === 'paused');

  await recordHistory('backfill-beside-live-calls', backfill);
  await recordHistory('coordinator-with-two-lanes', coordinator);
} finally {
  await temporal.close();
  await platform.close();
  await machine.close();
}
