import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { findErasure, insertErasure } from '../../src/db/erasures/erasures.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { erasureEntry, erasureWorkflowId } from '../../src/temporal/erase-data.ts';
import { startMachine } from '../faults/machine.ts';
import { failingCall } from '../support/model-world.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/** Records the history of an erasure of 130 calls: `node test/workflows/record-erasure-history.ts`. See `record-histories.ts` for when. */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  await machine.startWorker();
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const calls = Array.from({ length: 150 }, () => failingCall(newId()));
  const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
  await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  const { rows } = await sql<{ id: string }>`
    select id from calls where agent_id = ${agent.agentId} order by id limit 130`.execute(
    machine.database.em().getKysely(),
  );
  const { id: erasureId } = await insertErasure(em, {
    ...agent,
    scope: 'calls',
    callIds: rows.map(({ id }) => id),
    callerKey: null,
    sealedNumber: null,
    total: rows.length,
    reason: 'Asked for by the caller.',
    requestedBy: newId(),
  });
  await addToOutbox(em, { entry: erasureEntry({ ...agent, erasureId }), ...agent });
  await untilTrue(async () => (await findErasure(em, agent.agentId, erasureId))?.status === 'complete', 60_000);
  const handle = temporal.client.workflow.getHandle(erasureWorkflowId(erasureId));
  await untilTrue(async () => (await handle.describe()).status.name === 'COMPLETED', 60_000);
  await recordHistory('erasure-of-calls', handle);
} finally {
  await temporal.close();
  await machine.close();
}
