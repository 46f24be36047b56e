import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { fillBatch } from '../../src/db/models/model-batches.ts';
import { queueModelReadings } from '../../src/db/models/model-readings.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { analyseEntry } from '../../src/temporal/agent-coordinator.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { readBatchEntry } from '../../src/temporal/read-batch.ts';
import { startMachine } from '../faults/machine.ts';
import { startModelServer } from '../support/model-server.ts';
import { failingCall, GOOD_ANSWER, modelSettings } from '../support/model-world.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of a batch that a provider answered while it was looked at for the third time:
 * `node test/workflows/record-batch-history.ts`. See `record-histories.ts` for when.
 */
const [machine, server] = await Promise.all([startMachine(), startModelServer()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  server.answerWith(() => ({ value: GOOD_ANSWER }));
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const admin = machine.database.em().getKysely();
  const calls = Array.from({ length: 3 }, () => failingCall(newId()));
  const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
  await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  // Rules alone read the calls first, so that nothing is asked before they are in a batch.
  const rules = await machine.startWorker();
  await addToOutbox(em, { entry: analyseEntry({ ...agent, pollSeconds: null }, { messageId: newId() }), ...agent });
  const found = await untilAnalysed();
  rules.child.kill('SIGKILL');
  await rules.ended;
  await queueModelReadings(em, agent, found, 'small-one');
  const batchId = (await fillBatch(em, agent, 'small-one', 1)) ?? '';
  await machine.startWorker({ ...modelSettings(server), EARSHOT_MODEL_BATCH: 'on' });
  const entry = readBatchEntry({ ...agent, batchId, waits: { firstMs: 1_000, longestMs: 2_000, giveUpMs: 600_000 } });
  await addToOutbox(em, { entry, ...agent });
  const handle = temporal.client.workflow.getHandle(entry.workflowId);
  await untilTrue(async () => server.batches.made.length > 0, 120_000);
  setTimeout(() => server.batches.end(), 3_500);
  await handle.result();
  await recordHistory('batch-of-questions', handle);

  async function untilAnalysed(): Promise<string[]> {
    let ids: string[] = [];
    await untilTrue(async () => {
      const { rows } = await sql<{ id: string }>`
        select id from calls where agent_id = ${agent.agentId} and state = 'analysed'`.execute(admin);
      ids = rows.map(({ id }) => id);
      return ids.length === calls.length;
    }, 60_000);
    return ids;
  }
} finally {
  await temporal.close();
  await machine.close();
  await server.close();
}
