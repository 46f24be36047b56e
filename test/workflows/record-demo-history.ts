import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { nextDemoVersionEntry } from '../../src/temporal/next-demo-version.ts';
import { startMachine } from '../faults/machine.ts';
import { SHORT_PATIENCE, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { recordHistory } from '../support/record-history.ts';
import { type ScriptedAnswer, startScriptedServer } from '../support/scripted-server.ts';

/**
 * Records the history of another version of a demo agent, with a wait for the demo platform:
 * `node test/workflows/record-demo-history.ts`. See `record-histories.ts` for when.
 */
const [machine, platform] = await Promise.all([startMachine(), startScriptedServer()]);
const temporal = await createTemporal({ address: machine.temporalAddress() });
const vault = createVault(TEST_SECRET);
const BUSY: ScriptedAnswer = { status: 503, json: {} };

try {
  await machine.startWorker();
  let isBusy = true;
  platform.answerWith(({ path }) => {
    if (!path.startsWith('/demo/next-version/')) return { status: 404, json: {} };
    const answer = isBusy ? BUSY : { json: { agent_id: 'agent_a', version: 4 } };
    isBusy = false;
    return answer;
  });
  const owner = await storeAgent(machine.database.em(), vault, { provider: 'demo', baseUrl: platform.url });
  const requestId = newId();
  const entry = nextDemoVersionEntry({ desk: { ...owner, pollSeconds: null }, requestId, patience: SHORT_PATIENCE });
  await addToOutbox(machine.database.within(owner.workspaceId), { entry, ...owner });
  const handle = temporal.client.workflow.getHandle(entry.workflowId);
  await untilTrue(async () => (await handle.describe().catch(() => null))?.status.name === 'COMPLETED', 60_000);
  await recordHistory('demo-version-that-waited', handle);
} finally {
  await temporal.close();
  await machine.close();
  await platform.close();
}
