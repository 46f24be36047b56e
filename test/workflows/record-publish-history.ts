import { insertPublication } from '../../src/db/drafts/publications.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { createTemporal } from '../../src/temporal/client.ts';
import { publicationId, publishEntry } from '../../src/temporal/publish-draft.ts';
import { startMachine } from '../faults/machine.ts';
import { SHORT_PATIENCE, storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { captureLive, DESK_ENGINE, makeTestedDraft } from '../support/publishing.ts';
import { recordHistory } from '../support/record-history.ts';
import { startRetellWorkshop, type Trouble } from '../support/workshops.ts';

/**
 * Records the histories of a publish whose platform lost an answer, and of one that came to nothing:
 * `node test/workflows/record-publish-history.ts`. See `record-histories.ts` for when.
 */
const machine = await startMachine();
const temporal = await createTemporal({ address: machine.temporalAddress() });
const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
const adapter = createPlatforms({ outbound, demoUrl: null }).adapter('retell');

async function record(name: string, troubles: (Trouble | null)[]): Promise<void> {
  const workshop = await startRetellWorkshop(DESK_ENGINE, newId());
  const place = { baseUrl: workshop.url, apiKey: 'key', providerAgentId: workshop.agentId };
  const agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'retell', ...place });
  await captureLive(machine.database, agent, adapter, place);
  const { id: draftId, revision } = await makeTestedDraft(machine.database, agent);
  const em = machine.database.within(agent.workspaceId);
  const key = { draftId, revision, kind: 'publish' } as const;
  await insertPublication(em, { ...key, ...agent, baseVersion: 1, requestedBy: newId() });
  workshop.troubles = troubles;
  const entry = publishEntry({ ...key, coordinator: { ...agent, pollSeconds: null }, patience: SHORT_PATIENCE });
  await addToOutbox(em, { entry, ...agent });
  const handle = temporal.client.workflow.getHandle(publicationId(key));
  await untilTrue(async () => (await handle.result()) === undefined);
  await recordHistory(name, handle);
  await workshop.close();
}

try {
  await machine.startWorker();
  await record('publish-that-lost-an-answer', ['lost']);
  await record('publish-that-came-to-nothing', [null, null, 'refused']);
} finally {
  await outbound.close();
  await temporal.close();
  await machine.close();
}
