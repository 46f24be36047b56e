import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPublication } from '../../src/db/drafts/publications.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { publishEntry } from '../../src/temporal/publish-draft.ts';
import { storeAgent, TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { captureLive, DESK_ENGINE, makeTestedDraft } from '../support/publishing.ts';
import { rowsOf } from '../support/runs.ts';
import { startRetellWorkshop } from '../support/workshops.ts';
import type { Loose } from '../support/world.ts';
import { shareMachine } from './shared-machine.ts';
import type { WorkerMachine } from './worker-machine.ts';

let machine: WorkerMachine;
beforeAll(async () => {
  machine = await shareMachine();
});
afterAll(() => machine?.close());

/** Each kill is at a request that the platform has taken and not answered: nobody can know whether it was done. */
test.each([0, 1, 2])('a worker killed in write %i of a publish leaves it to another, who ends it', async (nth) => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const workshop = await startRetellWorkshop(DESK_ENGINE);
  try {
    const providerAgentId = 'agent_1';
    const place = { baseUrl: workshop.url, apiKey: 'key', providerAgentId };
    const agent = await storeAgent(machine.database.em(), createVault(TEST_SECRET), { provider: 'retell', ...place });
    await captureLive(machine.database, agent, createPlatforms({ outbound, demoUrl: null }).adapter('retell'), place);
    const { id: draftId, revision } = await makeTestedDraft(machine.database, agent);
    const em = machine.database.within(agent.workspaceId);
    const key = { draftId, revision, kind: 'publish' } as const;
    await insertPublication(em, { ...key, ...agent, baseVersion: 1, requestedBy: newId() });
    const coordinator = { ...agent, pollSeconds: null };
    workshop.troubles = [...Array.from({ length: nth }, () => null), 'hang'];
    const first = await machine.startWorker();
    await addToOutbox(em, { entry: publishEntry({ ...key, coordinator }), ...agent });
    await untilTrue(async () => workshop.writes.length === nth + 1);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await machine.startWorker();
    const draft = async () =>
      (
        await rowsOf<Loose>(machine.database, sql`select status, published_version from drafts where id = ${draftId}`)
      )[0];
    await untilTrue(async () => (await draft()).status === 'published');
    expect(await draft()).toMatchObject({ status: 'published', published_version: 2 });
    expect(workshop.live()).toEqual({ ...DESK_ENGINE, general_prompt: 'Be quick.' });
    expect(workshop.versions.map(({ version, published }) => [version, published])).toEqual([
      [1, true],
      [2, true],
    ]);
    second.child.kill('SIGKILL');
    await second.ended;
  } finally {
    await workshop.close();
    await outbound.close();
  }
});
