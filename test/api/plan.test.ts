import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedCalls } from '../support/seed.ts';
import { type Answered, createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const change = async (body: unknown, as?: string): Promise<Answered> =>
  world.ask('PATCH', '/app/plan', { as: as ?? (await world.token()), body });
const connect = async (providerAgentId: string, as?: string): Promise<Answered> =>
  world.ask('POST', '/app/agents', {
    as: as ?? (await world.token()),
    body: { platform: 'file', providerAgentId },
  });

describe('the plan', () => {
  test('of a new workspace is enterprise without limits', async () => {
    const admin = await world.token(await world.makeWorkspace());
    const answer = await world.ask('GET', '/app/plan', { as: admin });
    expect(answer.body).toMatchObject({
      object: 'plan',
      plan: 'enterprise',
      allowances: {
        analysedCalls: null,
        agents: null,
        copilotMessages: null,
        testCalls: null,
        seats: null,
        aiAllowanceUsd: null,
      },
      set: [],
      used: { agents: 0, analysedCalls: 0 },
    });
    const { startsAt, endsAt } = answer.body.period;
    expect(Date.parse(startsAt) <= Date.now() && Date.now() < Date.parse(endsAt)).toBe(true);
  });

  test('is changed by an admin of the installation, in any workspace of theirs, and seen by admins alone', async () => {
    const workspace = await world.makeWorkspaceOfOperator();
    const admin = await world.token(workspace);
    const changed = await change({ plan: 'starter', allowances: { aiAllowanceUsd: 12.5 } }, admin);
    expect(changed.body).toMatchObject({
      plan: 'starter',
      allowances: { agents: 3, testCalls: 50, aiAllowanceUsd: 12.5 },
      set: ['aiAllowanceUsd'],
    });
    expect((await world.ask('GET', '/app/plan', { as: admin })).body).toEqual(changed.body);
    const member = await world.token(await world.makeMember('member'));
    expectFailure(await world.ask('GET', '/app/plan', { as: member }), 403, 'admin_only');
    expectFailure(await change({ plan: 'scale' }, member), 403, 'admin_only');
    const another = await world.token(await world.makeWorkspace());
    expect((await world.ask('GET', '/app/plan', { as: another })).status).toBe(200);
    expectFailure(await change({ plan: 'scale' }, another), 403, 'admin_only');
    expectFailure(await change({ plan: 'scale' }, world.writeKey), 403, 'people_only');
  });

  test.each([
    [{ plan: 'gold' }, 'invalid_parameter', 'plan'],
    [{ allowances: { agents: -1 } }, 'invalid_parameter', 'allowances.agents'],
    [{ allowances: { agents: 1.5 } }, 'invalid_parameter', 'allowances.agents'],
    [{ allowances: { chairs: 1 } }, 'invalid_parameter', 'allowances.chairs'],
    [{ allowances: null }, 'invalid_parameter', 'allowances'],
    [{ colour: 1 }, 'invalid_parameter', 'colour'],
    [{}, 'invalid_body', null],
    [[], 'invalid_body', null],
  ])('refuses %j', async (body, code, param) => {
    expectFailure(await change(body), 400, code, param);
  });

  test('counts a call for each 10 minutes started, and none of demo agents', async () => {
    const workspace = await world.makeWorkspace();
    const agentId = await world.makeAgent({ workspaceId: workspace.workspaceId, provider: 'file' });
    const demoId = await world.makeAgent({ workspaceId: workspace.workspaceId, provider: 'demo' });
    const lasting = (providerCallId: string, durationMs: number) => ({
      call: { providerCallId, durationMs },
      analysis: {},
    });
    await seedCalls(world, agentId, [
      lasting('none', 0),
      lasting('ten minutes', 600_000),
      lasting('a moment more', 600_001),
      { call: { providerCallId: 'waits', durationMs: 5000 }, analysis: null },
    ]);
    await seedCalls(world, demoId, [lasting('demo', 5000)]);
    const answer = await world.ask('GET', '/app/plan', { as: await world.token(workspace) });
    expect(answer.body.used).toEqual({
      agents: 1,
      analysedCalls: 4,
      copilotMessages: 0,
      testCalls: 0,
      aiUsd: 0,
      aiUnpriced: [],
    });
  });
});

describe('the allowance of agents', () => {
  test('refuses to connect another, says what is used, and leaves nothing behind', async () => {
    const admin = await world.token(await world.makeWorkspaceOfOperator());
    await change({ plan: 'free_org' }, admin);
    expect((await connect('one', admin)).status).toBe(200);
    const refused = await connect('two', admin);
    expectFailure(refused, 402, 'quota_exceeded');
    expect(refused.body.error).toMatchObject({
      type: 'budget_error',
      quota: { metric: 'agents', limit: 1, used: 1, plan: 'free_org', upgradePath: '/billing' },
    });
    expect((await world.ask('GET', '/app/plan', { as: admin })).body.used.agents).toBe(1);
    expectFailure(await connect('one', admin), 409, 'agent_exists', 'providerAgentId');
    await change({ plan: 'starter' }, admin);
    expect((await connect('two', admin)).status).toBe(200);
  });

  test('holds when several connect at once', async () => {
    const admin = await world.token(await world.makeWorkspaceOfOperator());
    await change({ allowances: { agents: 2 } }, admin);
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => connect(name, admin)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402, 402]);
  });

  test('of 0 refuses the first, and enterprise is told whom to ask', async () => {
    const admin = await world.token(await world.makeWorkspaceOfOperator());
    await change({ allowances: { agents: 0 } }, admin);
    const refused = await connect('one', admin);
    expect(refused.body.error).toMatchObject({ code: 'quota_exceeded', quota: { limit: 0, used: 0 } });
    expect(refused.body.error.message).toMatch(/Contact us to raise the limit\.$/);
  });

  test('keeps what is connected when a smaller plan is chosen, and does not count the demo', async () => {
    const workspace = await world.makeWorkspaceOfOperator();
    const admin = await world.token(workspace);
    for (const name of ['one', 'two']) await connect(name, admin);
    await world.makeAgent({ workspaceId: workspace.workspaceId, provider: 'demo' });
    const smaller = await change({ plan: 'free_org' }, admin);
    expect(smaller.body.used.agents).toBe(2);
    const refused = await connect('three', admin);
    expect(refused.body.error.quota).toMatchObject({ limit: 1, used: 2 });
  });

  test('is the only refusal that carries a quota', async () => {
    expect((await connect('x', world.readKey)).body.error).not.toHaveProperty('quota');
  });
});
