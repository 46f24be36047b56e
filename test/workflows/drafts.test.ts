import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { DEMO_AGENTS } from '../../packages/demo-platform/agents.ts';
import { type DemoPlatform, startDemoPlatform } from '../../packages/demo-platform/server.ts';
import { insertPublication } from '../../src/db/drafts/publications.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { reconcilePublications } from '../../src/services/drafts/reconcile-publications.ts';
import { publicationId, publishEntry } from '../../src/temporal/publish-draft.ts';
import { type ElevenLabsWorkshop, startElevenLabsWorkshop } from '../support/elevenlabs-workshop.ts';
import { makeIssue } from '../support/issues.ts';
import { sendOutbox } from '../support/outbox.ts';
import { SHORT_PATIENCE, untilTrue } from '../support/pipeline.ts';
import { connectAgent, DESK_ENGINE, makeTestedDraft } from '../support/publishing.ts';
import { makeTests, type OwnedAgent } from '../support/runs.ts';
import { makeSpec } from '../support/specs.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { type RetellWorkshop, startRetellWorkshop } from '../support/workshops.ts';
import { expectFailure, type Loose, type World } from '../support/world.ts';

const address = inject('temporalAddress');
const [CLINIC = ''] = DEMO_AGENTS.map(({ providerAgentId }) => providerAgentId);

describe.skipIf(address === null)('a draft on its way to the platform', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  let worked: WorkedWorld;
  let world: World;
  let demo: DemoPlatform;
  let orders: ReturnType<typeof setInterval>;
  let agent: OwnedAgent;

  beforeAll(async () => {
    demo = await startDemoPlatform({ port: 0, now: new Date() });
    worked = await startWorkedWorld(address, demo.url);
    ({ world } = worked);
    const { database } = world;
    orders = setInterval(() => void sendOutbox({ database, temporal: worked.temporal.gateway }), 100);
  });
  afterAll(async () => {
    clearInterval(orders);
    await worked?.close();
    await demo?.close();
    await outbound.close();
  });

  const connect = (provider: 'demo' | 'retell' | 'elevenlabs', baseUrl: string, providerAgentId: string) =>
    connectAgent(world, createPlatforms({ outbound, demoUrl: demo.url }).adapter(provider), {
      baseUrl,
      providerAgentId,
      apiKey: `demo-${world.workspaceId}`,
    });

  const post = async (path: string, body?: object): Promise<Loose> =>
    world.ask('POST', `/app/agents/${agent.agentId}/drafts${path}`, {
      as: await world.token(),
      ...(body ? { body } : {}),
    });
  const read = async (id: string): Promise<Loose> =>
    (await world.get(`/v1/agents/${agent.agentId}/drafts/${id}`, await world.token())).body;
  const publish = ({ id, draftHash, revision }: Loose) => post(`/${id}/publish`, { draftHash, revision });
  async function until(id: string, status: string): Promise<Loose> {
    let now: Loose = null;
    await untilTrue(async () => {
      now = await read(id);
      return now.status === status;
    });
    return now;
  }

  async function play(body: object): Promise<Loose> {
    const as = await world.token();
    const url = `/v1/agents/${agent.agentId}/runs`;
    const { body: run } = await world.ask('POST', url, { as, body: { all: true, ...body } });
    await untilTrue(async () => (await world.get(`${url}/${run.id}`)).body.status === 'complete');
    return (await world.get(`${url}/${run.id}/result`)).body;
  }
  const versions = async () => (await world.get(`/v1/agents/${agent.agentId}/versions`)).body.data as Loose[];

  describe('of the demo', () => {
    beforeEach(async () => {
      agent = await connect('demo', demo.url, CLINIC);
    });

    const PARKING = {
      path: '/nodes/node_info/text',
      find: 'Parking: {{parking_note}}',
      replace: 'Patients park behind the building, free of charge.',
    };
    test('is played, published, read back, linked with its version and issue, and taken back', async () => {
      const { caller } = makeSpec();
      await makeTests(world.database, agent, 1, {
        caller: { ...caller, script: ['Where can I park?', "No, that's all."] },
        fixtures: [],
        criteria: [
          {
            id: 'c1',
            text: 'Reads out no variable.',
            required: true,
            check: { kind: 'not_said', text: 'parking_note', by: 'agent' },
          },
        ],
      });
      const { id: issueId } = await makeIssue(world, agent.agentId);
      const { body: draft } = await post('', { issueId, changes: [PARKING] });
      expectFailure(await publish(draft), 409, 'draft_blocked');

      expect((await play({})).cells).toMatchObject([{ result: 'failed', reason: expect.stringContaining('said') }]);
      expect((await read(draft.id)).suiteGate).toMatchObject({ reason: 'no_suite_run' });
      expect(await play({ draftId: draft.id })).toMatchObject({
        targetVersion: { version: 3, configHash: draft.draftHash },
        cells: [{ result: 'passed' }],
      });
      expect((await versions()).map(({ version }) => version)).toEqual([3]);

      expectFailure(await publish({ ...draft, revision: 2 }), 409, 'revision_conflict', 'revision');
      const draftHash = `sha256:${'0'.repeat(64)}`;
      expectFailure(await publish({ ...draft, draftHash }), 409, 'revision_conflict', 'draftHash');
      expect(await publish(draft)).toMatchObject({ status: 200, body: { status: 'publishing' } });
      expect(await until(draft.id, 'published')).toMatchObject({ publishedVersion: 4, publishFailure: null });
      expect((await versions())[0]).toMatchObject({ version: 4, isCurrent: true, configCaptured: true });
      const { body: issue } = await world.get(`/v1/agents/${agent.agentId}/issues/${issueId}`);
      expect(issue).toMatchObject({ status: 'fix_deployed', fix: { version: 4 } });
      expectFailure(await publish(draft), 409, 'draft_published');
      expect((await play({})).cells).toMatchObject([{ result: 'passed' }]);

      expect(await post(`/${draft.id}/rollback`)).toMatchObject({ status: 200, body: { status: 'publishing' } });
      expect(await until(draft.id, 'published')).toMatchObject({ rolledBackVersion: 5, publishFailure: null });
      const { body: text } = await world.get(`/v1/agents/${agent.agentId}/text`);
      expect(JSON.stringify(text.parts)).toContain('{{parking_note}}');
      expectFailure(await post(`/${draft.id}/rollback`), 409, 'draft_blocked');

      const { body: audit } = await world.get(`/v1/agents/${agent.agentId}/audit`);
      const noted = audit.data.map(({ operation, status }: Loose) => `${operation} ${status}`);
      expect(noted.filter((one: string) => one.startsWith('publishDraft')).length).toBe(5);
      expect(noted.filter((one: string) => one.startsWith('rollBackDraft'))).toEqual([
        'rollBackDraft 409',
        'rollBackDraft 200',
      ]);
    });
  });

  describe('of ElevenLabs', () => {
    let workshop: ElevenLabsWorkshop;
    const PARKING = 'Patients park behind the building.';
    beforeEach(async () => {
      const prompt = { prompt: 'You are the desk of a dentist.', llm: 'gpt-4.1', tool_ids: [] };
      workshop = await startElevenLabsWorkshop({
        name: 'Desk',
        conversation_config: { agent: { first_message: 'Hello.', language: 'en', prompt } },
      });
      workshop.plays = (_, { conversation_config: config }) => {
        const knows = config.agent.prompt.prompt.includes(PARKING);
        return [{ role: 'agent', message: knows ? PARKING : "I can't say." }];
      };
      agent = await connect('elevenlabs', workshop.url, 'agent_1');
      return () => workshop.close();
    });

    test('is played by the tests of the platform, published to the branch that takes the calls, and taken back', async () => {
      const { caller } = makeSpec();
      const check = { kind: 'said', text: 'behind the building', by: 'agent' } as const;
      await makeTests(world.database, agent, 1, {
        caller: { ...caller, script: ['Where can I park?', "No, that's all."] },
        fixtures: [],
        criteria: [{ id: 'c1', text: 'Says where to park.', required: true, check }],
      });
      const changes = [{ path: '/prompt', text: `You are the desk of a dentist. ${PARKING}` }];
      const { body: draft } = await post('', { title: 'Parking', changes });
      expect((await play({})).cells).toMatchObject([{ result: 'failed' }]);
      expect((await play({ draftId: draft.id })).cells).toMatchObject([{ result: 'passed' }]);
      expect(workshop.versions).toHaveLength(1);
      expect(workshop.tests.size).toBe(0);

      await publish(draft);
      expect(await until(draft.id, 'published')).toMatchObject({ publishedVersion: 2, publishFailure: null });
      expect(workshop.versions[1]).toMatchObject({ description: 'Parking' });
      expect((await play({})).cells).toMatchObject([{ result: 'passed' }]);
      await post(`/${draft.id}/rollback`);
      await untilTrue(async () => (await read(draft.id)).rolledBackVersion !== null);
      expect(workshop.versions[2]?.agent).toEqual(workshop.versions[0]?.agent);
    });
  });

  describe('of Retell', () => {
    let workshop: RetellWorkshop;
    beforeEach(async () => {
      workshop = await startRetellWorkshop(DESK_ENGINE, newId());
      agent = await connect('retell', workshop.url, workshop.agentId);
    });

    const begin = () => makeTestedDraft(world.database, agent);
    /** Published again where a publish came to nothing: as another revision, with the tests of the same text. */
    const failed = async (id: string, reason: RegExp) => {
      const now = await until(id, 'draft');
      expect(now).toMatchObject({
        revision: 2,
        publishFailure: expect.stringMatching(reason),
        suiteGate: { ok: true },
      });
      return now;
    };

    test('that changed there just before is not written, and can be laid over what is there', async () => {
      const draft = await begin();
      workshop.versions[0] = {
        version: 1,
        published: true,
        base: null,
        engine: { ...DESK_ENGINE, begin_message: 'Hi.' },
      };
      await publish(draft);
      await failed(draft.id, /changed at the platform .*Nothing was written/);
      expect(workshop.writes).toEqual([]);
    });

    test('whose platform answers nothing, garbage, or is away is published all the same, once', async () => {
      const draft = await begin();
      workshop.troubles = ['lost', 'away', 'garbage', null, 'lost'];
      await publish(draft);
      expect(await until(draft.id, 'published')).toMatchObject({ publishedVersion: 2 });
      expect(workshop.versions.map(({ version, published }) => [version, published])).toEqual([
        [1, true],
        [2, true],
      ]);
    });

    test('that is refused there leaves nothing behind and is a draft again, which can be published', async () => {
      const draft = await begin();
      workshop.troubles = [null, null, 'refused'];
      await publish(draft);
      const again = await failed(draft.id, /did not accept publishing/);
      expect(workshop.versions.map(({ version }) => version)).toEqual([1]);
      await publish(again);
      expect(await until(draft.id, 'published')).toMatchObject({ publishFailure: null });
    });

    test('that is written down otherwise than it was sent is taken back', async () => {
      const draft = await begin();
      workshop.troubles = [null, 'garbled'];
      await publish(draft);
      await failed(draft.id, /still says what it said before/);
      expect(workshop.live()).toEqual(DESK_ENGINE);
    });

    /** Somebody publishes other words than ours. */
    const overtake = () => {
      const version = workshop.versions.length + 1;
      const engine = { ...DESK_ENGINE, general_prompt: 'Mine.' };
      workshop.versions.push({ version, published: true, base: 1, engine });
    };

    test.each([0, 1, 2])('that changed there while write %i waited is left as it is', async (nth) => {
      const draft = await begin();
      workshop.troubles = [...Array.from({ length: nth }, () => null), overtake];
      await publish(draft);
      await failed(draft.id, /changed at the platform in the meantime/);
      expect(workshop.live()).toEqual({ ...DESK_ENGINE, general_prompt: 'Mine.' });
      expect(workshop.writes).toHaveLength(nth + 1);
    });

    test('that is not taken back at the first try can be taken back at the next', async () => {
      const draft = await begin();
      await publish(draft);
      await until(draft.id, 'published');
      workshop.troubles = ['refused'];
      await post(`/${draft.id}/rollback`);
      const refused = await until(draft.id, 'published');
      expect(refused).toMatchObject({
        rolledBackVersion: null,
        publishFailure: expect.stringMatching(/did not accept/),
      });
      expect(await post(`/${draft.id}/rollback`)).toMatchObject({ status: 200, body: { status: 'publishing' } });
      expect(await until(draft.id, 'published')).toMatchObject({ rolledBackVersion: 3, publishFailure: null });
      expect(workshop.live()).toEqual(DESK_ENGINE);
    });

    test('whose platform shows nothing any more is a draft again, and nothing more is written', async () => {
      const { id: draftId, revision } = await begin();
      workshop.troubles = [null, 'locked'];
      const key = { draftId, revision, kind: 'publish' } as const;
      const em = world.database.within(agent.workspaceId);
      await insertPublication(em, { ...key, ...agent, baseVersion: 1, requestedBy: world.personId });
      const coordinator = { ...agent, pollSeconds: null };
      await worked.temporal.gateway.deliver(publishEntry({ ...key, coordinator, patience: SHORT_PATIENCE }));
      await failed(draftId, /What is live could not be seen/);
      expect(workshop.writes).toHaveLength(2);
    });

    test('whose workflow was terminated in Temporal is a draft again', async () => {
      const { database } = world;
      const { gateway: temporal } = worked.temporal;
      const draft = await begin();
      workshop.troubles = Array.from({ length: 100 }, () => 'away' as const);
      await publish(draft);
      await untilTrue(async () => workshop.writes.length > 0);
      await temporal.client.workflow
        .getHandle(publicationId({ ...draft, draftId: draft.id, kind: 'publish' }))
        .terminate();
      const tended = { database, temporal, polling: { polls: false, pollSeconds: 60 } };
      // Something happened to it just now: it is left alone.
      await reconcilePublications(tended);
      expect(await read(draft.id)).toMatchObject({ status: 'publishing' });
      await sql`
        update draft_publications set updated_at = now() - interval '2 minutes' where draft_id = ${draft.id}
      `.execute(database.em().getKysely());
      await reconcilePublications(tended);
      expect(await read(draft.id)).toMatchObject({
        status: 'draft',
        publishFailure: expect.stringMatching(/ended in Temporal/),
      });
    });
  });
});
