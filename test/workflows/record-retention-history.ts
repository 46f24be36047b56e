import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { setAgentRetention } from '../../src/db/retention/agents.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import {
  RETENTION_ID,
  RETENTION_PROGRESS,
  type RetentionProgress,
  retentionEntry,
} from '../../src/temporal/keep-retention.ts';
import { startMachine } from '../faults/machine.ts';
import { failingCall } from '../support/model-world.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of a pass of retention in two steps that removed the words of 1,100 calls, and of one that was
 * ordered by a changed setting: `node test/workflows/record-retention-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  for (let at = 0; at < 11; at += 1) {
    const calls = Array.from({ length: 100 }, () => failingCall(newId()));
    const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
    await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  }
  await sql`update calls set created_at = now() - interval '9 days'`.execute(machine.database.em().getKysely());
  await setAgentRetention(em, agent.agentId, { transcriptDays: 7 });
  await machine.startWorker();
  const handle = temporal.client.workflow.getHandle(RETENTION_ID);
  const passed = () =>
    untilTrue(async () => {
      const { stage, transcripts } = await handle.query<RetentionProgress>(RETENTION_PROGRESS);
      return stage === 'waiting' && transcripts === 1100;
    }, 60_000);
  await passed();
  const { runId = '' } = (await handle.describe()) as { runId?: string };
  await temporal.deliver(retentionEntry());
  await untilTrue(async () => (await handle.describe()).runId !== runId, 60_000);
  await recordHistory('retention-passes', temporal.client.workflow.getHandle(RETENTION_ID, runId));
} finally {
  await temporal.close();
  await machine.close();
}
