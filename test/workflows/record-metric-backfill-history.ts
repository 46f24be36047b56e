import { sql } from 'kysely';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { openBackfill } from '../../src/db/custom-metrics/backfill.ts';
import { insertCustomMetric } from '../../src/db/custom-metrics/metrics.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { backfillMetricEntry } from '../../src/temporal/backfill-metric.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { startMachine } from '../faults/machine.ts';
import { makeCall } from '../support/analysed-calls.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';

/**
 * Records the history of a custom metric that was computed on the calls of two pages:
 * `node test/workflows/record-metric-backfill-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);

try {
  await machine.startWorker();
  const agent = await storeAgent(machine.database.em(), vault, { provider: 'file', baseUrl: null });
  const em = machine.database.within(agent.workspaceId);
  const admin = machine.database.em().getKysely();
  const calls = Array.from({ length: 120 }, (_, nth) => makeCall({ providerCallId: `call ${nth}` }));
  const payloads = calls.map((call) => ({ payload: { id: call.providerCallId }, call }));
  await storeCalls(em, { ...agent, importId: null, vault, calls: payloads });
  await sql`update calls set state = 'analysed', caller_spoke = true where agent_id = ${agent.agentId}`.execute(admin);
  const said = (by: 'caller' | 'agent', text: string) => ({ on: 'said' as const, by, text });
  await insertCustomMetric(
    em,
    agent,
    {
      slug: 'apologizes',
      name: 'Apologizes',
      description: null,
      answer: 'yes_no',
      better: 'higher',
      badLabels: [],
      unit: null,
      share: 1,
      isOn: true,
      appliesWhen: null,
      form: { kind: 'pattern', after: said('caller', 'help'), expect: said('agent', 'sorry'), within: { turns: 2 } },
    },
    { createdBy: 'earshot', changeReason: null },
  );
  const { rows } = await sql<{ id: string }>`select id from custom_metrics where agent_id = ${agent.agentId}`.execute(
    admin,
  );
  const entry = backfillMetricEntry({ ...agent, metricId: rows[0]?.id ?? '', version: 1 });
  await openBackfill(em, { ...agent, metricId: rows[0]?.id ?? '', version: 1 });
  await addToOutbox(em, { entry, ...agent });
  const handle = temporal.client.workflow.getHandle(entry.workflowId);
  await untilTrue(async () => (await handle.describe().catch(() => null)) !== null);
  await handle.result();
  await recordHistory('custom-metric-backfilled', handle);
} finally {
  await temporal.close();
  await machine.close();
}
