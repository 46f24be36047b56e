import { insertCopy, noteCopyHandle } from '../../src/db/copies/copies.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { releaseCopies } from '../../src/services/runs/release-copies.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { removeCopyId } from '../../src/temporal/remove-copy.ts';
import { startMachine } from '../faults/machine.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { DESK_ENGINE } from '../support/publishing.ts';
import { recordHistory } from '../support/record-history.ts';
import { startRetellWorkshop } from '../support/workshops.ts';

/**
 * Records the history of a copy whose removal waited for its platform: `node test/workflows/record-copy-history.ts`. See
 * `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const workshop = await startRetellWorkshop(DESK_ENGINE);

try {
  await machine.startWorker();
  const place = { baseUrl: workshop.url, providerAgentId: workshop.agentId };
  const agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'retell', ...place });
  const em = machine.database.within(agent.workspaceId);
  const runId = newId();
  const copyId = await insertCopy(em, { ...agent, runId, version: 1 });
  await noteCopyHandle(em, copyId, { kind: 'retell-llm', engine: 'llm_gone', agent: 'agent_gone' });
  workshop.troubles = ['away'];
  await em.transactional((tx) => releaseCopies(tx, { ...agent, id: runId }));
  const handle = temporal.client.workflow.getHandle(removeCopyId(copyId));
  await untilTrue(async () => (await handle.result()) === undefined);
  await recordHistory('copy-that-waited', handle);
} finally {
  await workshop.close();
  await temporal.close();
  await machine.close();
}
