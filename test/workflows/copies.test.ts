import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { draftHashOf } from '../../src/domain/drafts/apply-changes.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { reconcileCopies } from '../../src/services/runs/release-copies.ts';
import { removeCopyId } from '../../src/temporal/remove-copy.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { connectAgent, DESK_ENGINE } from '../support/publishing.ts';
import { makeTests, type OwnedAgent } from '../support/runs.ts';
import { makeSpec } from '../support/specs.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { type RetellWorkshop, startRetellWorkshop } from '../support/workshops.ts';
import type { Loose } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('on Retell', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  let worked: WorkedWorld;
  let orders: ReturnType<typeof setInterval>;
  let workshop: RetellWorkshop;
  let agent: OwnedAgent;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    const { database } = worked.world;
    orders = setInterval(() => void sendOutbox({ database, temporal: worked.temporal.gateway }), 100);
  });
  afterAll(async () => {
    clearInterval(orders);
    await worked?.close();
    await outbound.close();
  });
  beforeEach(async () => {
    workshop = await startRetellWorkshop(DESK_ENGINE, newId());
    const place = { baseUrl: workshop.url, apiKey: 'key', providerAgentId: workshop.agentId };
    agent = await connectAgent(worked.world, createPlatforms({ outbound, demoUrl: null }).adapter('retell'), place);
    const { caller } = makeSpec();
    await makeTests(worked.world.database, agent, 1, {
      caller: { ...caller, script: ['Hello?'] },
      fixtures: [],
      criteria: [
        { id: 'c1', text: 'Is not slow.', required: true, check: { kind: 'not_said', text: 'kind', by: 'agent' } },
      ],
    });
  });
  afterEach(() => workshop.close());

  const at = (path: string) => `/v1/agents/${agent.agentId}${path}`;
  const post = async (path: string, body: object): Promise<Loose> =>
    worked.world.ask('POST', path, { as: await worked.world.token(), body });
  const read = async (path: string): Promise<Loose> =>
    (await worked.world.get(at(path), await worked.world.token())).body;
  const begin = async () => {
    const changes = [{ path: '/prompt', find: 'kind', replace: 'quick' }];
    return (await post(`/app/agents/${agent.agentId}/drafts`, { title: 'Quicker', changes })).body;
  };
  async function play(body: object): Promise<Loose> {
    const { body: run } = await post(at('/runs'), { all: true, ...body });
    await untilTrue(async () => ['complete', 'failed'].includes((await read(`/runs/${run.id}`)).status));
    return read(`/runs/${run.id}`);
  }
  const copies = async (): Promise<Loose[]> => (await read('/copies')).data;
  const untilGone = () => untilTrue(async () => (await copies()).every(({ state }) => state === 'removed'));
  const left = () => [...workshop.made.agents.keys(), ...workshop.made.engines.keys()];

  test('a draft is played by a copy that no number leads to, its gate opens, and the copy goes', async () => {
    const draft = await begin();
    const run = await play({ draftId: draft.id });
    const [copy] = await copies();
    expect(run).toMatchObject({ status: 'complete', shadowAgentId: copy?.id, summary: { counts: { passed: 1 } } });
    expect(await read(`/runs/${run.id}/result`)).toMatchObject({
      targetVersion: { version: 1, configHash: draft.draftHash },
      shadow: { agentId: copy?.id, version: 1 },
    });
    expect((await read(`/drafts/${draft.id}`)).suiteGate).toMatchObject({ ok: true });
    await untilGone();
    expect(left()).toEqual([]);
    expect(workshop.writes).toEqual([
      'POST /create-retell-llm',
      'POST /create-agent',
      'DELETE /delete-agent',
      'DELETE /delete-retell-llm',
    ]);
    expect(workshop.versions.map(({ version }) => version)).toEqual([1]);
    expect(draft.draftHash).toBe(draftHashOf(draft.baseHash, { '/prompt': 'Be quick.' }));
  });

  test('shadow plays a copy of the version as it is', async () => {
    const run = await play({ shadow: true });
    expect(run).toMatchObject({ status: 'complete', summary: { counts: { failed: 1 } } });
    expect(await copies()).toMatchObject([{ id: run.shadowAgentId, runId: run.id, version: 1 }]);
    await untilGone();
  });

  test('a making whose answer is lost leaves nothing: another is made, and what was lost is found', async () => {
    const draft = await begin();
    workshop.troubles = ['lost', null, 'lost'];
    expect(await play({ draftId: draft.id })).toMatchObject({ summary: { counts: { passed: 1 } } });
    await untilGone();
    expect(await copies()).toHaveLength(3);
    expect(left()).toEqual([]);
  });

  test('a making that is refused fails the run with the reason', async () => {
    const draft = await begin();
    workshop.troubles = [null, 'refused'];
    expect(await play({ draftId: draft.id })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('did not accept making a copy'),
    });
    await untilGone();
    expect(left()).toEqual([]);
  });

  test('what nobody can see yet is looked for until it must have come, or never will', async () => {
    const draft = await begin();
    workshop.troubles = ['cut'];
    await play({ draftId: draft.id });
    await untilTrue(async () => (await copies())[1]?.problem !== null);
    const [, lost] = await copies();
    expect(lost).toMatchObject({ state: 'removing', problem: expect.stringContaining('can not be seen yet') });
    await agedCopies(15);
    await worked.temporal.gateway.client.workflow.getHandle(removeCopyId(lost?.id)).signal('tryNow');
    await untilGone();
  });

  test('one that can not be removed stays on the list with the reason, and is tried again', async () => {
    const draft = await begin();
    workshop.troubles = [null, null, 'refused'];
    await play({ draftId: draft.id });
    await untilTrue(async () => (await copies())[0]?.problem !== null);
    expect((await read('/copies?state=removing')).data).toMatchObject([
      { tries: 1, problem: expect.stringContaining('did not accept removing'), providerAgentId: 'agent_copy_2' },
    ]);
    await sweep();
    expect(left()).toHaveLength(2);
    await agedCopies(61);
    // The try before may not have ended yet; then nothing begins until the next look.
    await untilTrue(async () => {
      await sweep();
      return left().length === 0;
    });
    await untilGone();
  });

  const sweep = () => {
    const { database } = worked.world;
    return reconcileCopies({ database, temporal: worked.temporal.gateway });
  };
  const agedCopies = (minutes: number) =>
    sql`
      update agent_copies set created_at = created_at - ${`${minutes} minutes`}::interval,
        updated_at = updated_at - ${`${minutes} minutes`}::interval where agent_id = ${agent.agentId}
    `.execute(worked.world.database.em().getKysely());
});
