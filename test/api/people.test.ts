import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { withHashSlot } from '../../src/operations/access/hash-slots.ts';
import { openSession } from '../../src/operations/access/sessions.ts';
import { ensureDemoAgents } from '../../src/operations/setup/demo-agents.ts';
import { bySession, cookieOf, readLink, secretOf, useLink } from '../support/links.ts';
import { type Answered, createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const PASSWORD = 'a long enough password';
let world: World;
let admin: string;

beforeAll(async () => {
  world = await createWorld();
  admin = await world.token();
});
afterAll(() => world.close());

const anEmail = () => `${newId()}@example.com`;
const add = (body: Record<string, unknown>, as = admin) =>
  world.ask('POST', '/app/members', { as, body: { name: 'Ann', role: 'member', ...body } });
const accept = (answer: Answered, body: Record<string, unknown> = { password: PASSWORD }) =>
  useLink(world, answer, body);
const signIn = (body: Record<string, unknown>) =>
  world.ask('POST', '/app/sign-in', { body: { password: PASSWORD, ...body } });
const me = (as: string) => world.ask('GET', '/app/me', { as });
const secondWorkspace = async () => {
  const who = await world.makeWorkspace();
  return { ...who, admin: await world.token(who) };
};

describe('an invitation', () => {
  test('is a link that works once, and its person belongs to nothing before', async () => {
    const email = anEmail();
    const invited = await add({ email: email.toUpperCase(), name: 'Bea', role: 'admin' });
    expect(invited.body).toMatchObject({ object: 'member', email, name: 'Bea', role: 'admin', state: 'invited' });
    expect(invited.body.link).toMatch(/^http.*\/links#[A-Za-z0-9_-]{32}$/);
    expectFailure(await signIn({ email }), 401, 'invalid_credentials');

    const seen = await readLink(world, invited);
    expect(seen.body).toEqual({
      object: 'link',
      purpose: 'invitation',
      email,
      workspaceName: 'A workspace',
      role: 'admin',
      madeBy: { name: 'An admin', email: expect.stringMatching(/@example\.com$/), emailVerified: false },
      choosesEmail: false,
    });
    expectFailure(await accept(invited, { password: 'short' }), 400, 'invalid_parameter', 'password');
    expectFailure(await accept(invited, { password: PASSWORD, email }), 400, 'invalid_parameter', 'email');
    const accepted = await accept(invited);
    expect(accepted.body.person).toMatchObject({ email, name: 'Bea', workspaceId: world.workspaceId, role: 'admin' });
    expectFailure(await accept(invited), 404, 'link_not_found');
    expectFailure(await readLink(world, invited), 404, 'link_not_found');
    expect((await signIn({ email })).status).toBe(200);
  });

  test('shows its link once, and is listed until it is used', async () => {
    const email = anEmail();
    const [invited] = [await add({ email }), await add({ email: anEmail() })];
    const list = await world.ask('GET', '/app/members', { as: admin });
    expect(list.text).not.toContain(secretOf(invited));
    const entry = (answer: Answered) => answer.body.data.find((each: Loose) => each.email === email);
    expect(entry(list)).toMatchObject({ state: 'invited', invitedUntil: expect.stringMatching(/Z$/) });
    await accept(invited);
    const later = await world.ask('GET', '/app/members', { as: admin });
    expect(entry(later)).toMatchObject({ state: 'active', invitedUntil: null });
    const { rows } = await sql<{
      row: string;
    }>`select to_jsonb(i)::text as row from invitations i union all select to_jsonb(l)::text from one_time_links l`.execute(
      world.database.em().getKysely(),
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(secretOf(invited));
  });

  test('is replaced by the next one, and taken back by removing it', async () => {
    const email = anEmail();
    const first = await add({ email });
    const second = await add({ email, role: 'admin' });
    expect(second.body.id).toBe(first.body.id);
    expectFailure(await accept(first), 404, 'link_not_found');
    const removed = await world.ask('DELETE', `/app/members/${second.body.id}`, { as: admin });
    expect(removed.body).toEqual({
      object: 'member',
      id: second.body.id,
      removed: true,
      revokedKeys: 0,
      keptKeys: 0,
    });
    expectFailure(await accept(second), 404, 'link_not_found');
  });

  test('ends the keys of a member who is removed only where that is asked for, and says how many there are', async () => {
    const removeOne = async (query: string) => {
      const who = await world.makeMember('member');
      const made = await world.ask('POST', '/app/keys', {
        as: await world.token(who),
        body: { name: 'of a member', access: 'read' },
      });
      expect(made.body.createdBy).toMatchObject({ id: who.personId, isMember: true });
      const removed = await world.ask('DELETE', `/app/members/${who.personId}${query}`, { as: admin });
      const { status } = await world.get('/v1/me', made.body.key);
      return { ...removed.body, status, keyId: made.body.id };
    };
    const kept = await removeOne('');
    expect(kept).toMatchObject({ revokedKeys: 0, keptKeys: 1, status: 200 });
    const keys = await world.ask('GET', '/app/keys', { as: admin });
    expect(keys.body.data.find(({ id }: Loose) => id === kept.keyId).createdBy).toMatchObject({ isMember: false });
    expect(await removeOne('?revokeKeys=true')).toMatchObject({ revokedKeys: 1, keptKeys: 0, status: 401 });
  });

  test('is not left with the keys of an admin unless an admin leaves them', async () => {
    const demoteOne = async (query: string) => {
      const who = await world.makeMember('admin');
      const as = await world.token(who);
      const key = await world.ask('POST', '/app/keys', {
        as,
        body: { name: 'of an admin', access: 'write', monthlyBudgetUsd: 1 },
      });
      const agent = { platform: 'otel', providerAgentId: newId() };
      const { body: sending } = await world.ask('POST', '/app/agents', { as, body: agent });
      const { rows } = await sql<{
        id: string;
      }>`select connection_id as id from agents where id = ${sending.id}`.execute(world.database.em().getKysely());
      const at = `/app/connections/${rows[0]?.id}/tokens`;
      expect((await world.ask('POST', at, { as, body: { agentId: sending.id } })).status).toBe(200);
      const body = { role: 'member' };
      const demoted = await world.ask('PATCH', `/app/members/${who.personId}${query}`, { as: admin, body });
      const { status } = await world.get('/v1/me', key.body.key);
      const tokens = (await world.ask('GET', at, { as: admin })).body.data.length;
      return { ...demoted.body, status, tokens };
    };
    const kept = { role: 'member', revokedKeys: 0, keptKeys: 2, status: 200, tokens: 1 };
    expect(await demoteOne('')).toMatchObject(kept);
    const revoked = { role: 'member', revokedKeys: 2, keptKeys: 0, status: 401, tokens: 0 };
    expect(await demoteOne('?revokeKeys=true')).toMatchObject(revoked);
  });

  test('accepts what an invitation says when it is accepted, and not what it said before', async () => {
    const [changed, again] = [await add({ email: anEmail(), role: 'admin' }), await add({ email: anEmail() })];
    const held = Promise.withResolvers<void>();
    const slots = [withHashSlot(() => held.promise), withHashSlot(() => held.promise)];
    const answers = [accept(changed), accept(again)];
    await world.ask('PATCH', `/app/members/${changed.body.id}`, { as: admin, body: { role: 'viewer' } });
    await add({ email: again.body.email });
    held.resolve();
    const [first, second] = await Promise.all(answers);
    await Promise.all(slots);
    expect(first?.body.person.role).toBe('viewer');
    expectFailure(second as Answered, 404, 'link_not_found');
  });

  test('has the role that was set last', async () => {
    const invited = await add({ email: anEmail() });
    await world.ask('PATCH', `/app/members/${invited.body.id}`, { as: admin, body: { role: 'admin' } });
    expect((await accept(invited)).body.person.role).toBe('admin');
  });

  test('ends after a week', async () => {
    const invited = await add({ email: anEmail() });
    await sql`update invitations set expires_at = expires_at - interval '7 days'`.execute(
      world.database.em().getKysely(),
    );
    expectFailure(await accept(invited), 404, 'link_not_found');
  });

  test('is not used by looking at it, and what its page fetches says nothing of its secret', async () => {
    const invited = await add({ email: anEmail() });
    const page = new URL(invited.body.link);
    expect([page.pathname, page.search]).toEqual(['/links', '']);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET'] as const) {
      const { headers } = await world.ask(method, page.pathname, {
        headers: { 'user-agent': 'Slackbot-LinkExpanding' },
      });
      if (method !== 'OPTIONS') expect(headers['referrer-policy']).toBe('no-referrer');
    }
    expect((await readLink(world, invited)).status).toBe(200);
    expect((await readLink(world, invited)).status).toBe(200);
    // Nothing of a link is taken from a path.
    expect((await world.ask('GET', `/links/${secretOf(invited)}`, { as: admin })).status).toBe(404);
    expect((await world.ask('GET', `/app/links/${secretOf(invited)}`, { as: admin })).status).toBe(404);
    expect((await accept(invited)).status).toBe(200);
  });

  test('used twice at once lets one in', async () => {
    const invited = await add({ email: anEmail() });
    const answers = await Promise.all([accept(invited), accept(invited), accept(invited)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
  });

  test('is accepted by the account at its address whose password it is, and by a new one with any other', async () => {
    const email = anEmail();
    const first = await accept(await add({ email }));
    const other = await secondWorkspace();
    const again = await accept(await add({ email, role: 'admin' }, other.admin));
    expect(again.body.person).toMatchObject({
      id: first.body.person.id,
      workspaceId: other.workspaceId,
      role: 'admin',
    });
    expect((await me(again.body.token)).body.workspaces).toHaveLength(2);
    const third = await secondWorkspace();
    const apart = await accept(await add({ email }, third.admin), { password: 'quite another password' });
    expect(apart.body.person.id).not.toBe(first.body.person.id);
    expect((await me(apart.body.token)).body.workspaces).toEqual([
      { id: third.workspaceId, name: 'A workspace', role: 'member' },
    ]);
    expect((await signIn({ email })).body.person.id).toBe(first.body.person.id);
    expect((await signIn({ email, password: 'quite another password' })).body.person.id).toBe(apart.body.person.id);
  });

  test('asks nobody for the password that a stranger chose for their address', async () => {
    const email = anEmail();
    const squatter = await secondWorkspace();
    const squatted = await accept(await add({ email }, squatter.admin), { password: 'the password of a stranger' });
    const ours = await add({ email });
    const before = { ...(await readLink(world, ours)).body };
    expect(before).not.toHaveProperty('setsPassword');
    const joined = await accept(ours, { password: 'the password of its owner' });
    expect((await me(joined.body.token)).body.workspaces).toHaveLength(1);
    expect((await me(squatted.body.token)).body.workspaces).toEqual([
      { id: squatter.workspaceId, name: 'A workspace', role: 'member' },
    ]);
    expectFailure(await signIn({ email, password: 'the password of a guesser' }), 401, 'invalid_credentials');
  });

  test('says the same of an address whether or not anybody signs in with it', async () => {
    const other = await secondWorkspace();
    const known = anEmail();
    await accept(await add({ email: known }));
    const shown = async (email: string) => {
      const { email: _, ...link } = (await readLink(world, await add({ email }, other.admin))).body;
      return link;
    };
    expect(await shown(known)).toEqual(await shown(anEmail()));
  });

  test('ends with the role of the admin who made it, and so does a link for a new password', async () => {
    const second = await accept(await add({ email: anEmail(), role: 'admin' }));
    const asSecond = second.body.token;
    const invited = await add({ email: anEmail() }, asSecond);
    const member = await accept(await add({ email: anEmail() }));
    const path = `/app/members/${member.body.person.id}/password-link`;
    const password = await world.ask('POST', path, { as: asSecond });
    expect([(await readLink(world, invited)).status, (await readLink(world, password)).status]).toEqual([200, 200]);
    await world.ask('PATCH', `/app/members/${second.body.person.id}`, { as: admin, body: { role: 'approver' } });
    for (const link of [invited, password]) {
      expectFailure(await readLink(world, link), 404, 'link_not_found');
      expectFailure(await accept(link), 404, 'link_not_found');
    }
    const listed = (await world.ask('GET', '/app/members?limit=100', { as: admin })).body.data;
    expect(listed.map(({ id }: Loose) => id)).not.toContain(invited.body.id);
  });
});

describe('a password for somebody else', () => {
  test('is chosen by admins of the installation alone', async () => {
    const other = await secondWorkspace();
    const email = anEmail();
    expectFailure(await add({ email, password: PASSWORD }, other.admin), 403, 'admin_only', 'password');
    expect((await add({ email }, other.admin)).body).toMatchObject({ state: 'invited' });
  });

  test('is not chosen for an address that another workspace has invited', async () => {
    const other = await secondWorkspace();
    const email = anEmail();
    const theirs = await add({ email }, other.admin);
    expectFailure(await add({ email, password: PASSWORD }), 409, 'member_exists', 'password');
    expectFailure(await signIn({ email }), 401, 'invalid_credentials');
    expect((await accept(theirs, { password: 'their own password' })).status).toBe(200);
  });

  test('opens no other workspace before the member has changed it', async () => {
    const email = anEmail();
    await add({ email, password: PASSWORD });
    const other = await secondWorkspace();
    const invited = await add({ email }, other.admin);
    expectFailure(await accept(invited), 409, 'password_given', 'password');
    const session = await signIn({ email });
    const byLink = () =>
      bySession(world, cookieOf(session), 'POST', '/invitations/accept', { secret: secretOf(invited) });
    const make = () => world.ask('POST', '/app/workspaces', { as: session.body.token, body: { name: 'Mine' } });
    expectFailure(await byLink(), 409, 'password_given');
    expectFailure(await make(), 409, 'password_given');
    const changed = { currentPassword: PASSWORD, newPassword: 'a password of their own' };
    expect((await world.ask('POST', '/app/password', { as: session.body.token, body: changed })).status).toBe(200);
    expect((await byLink()).body).toEqual({ object: 'workspace', id: other.workspaceId, name: 'A workspace' });
    expect((await make()).status).toBe(200);
  });
});

describe('members', () => {
  test('are made at once where a password is given', async () => {
    const email = anEmail();
    const made = await add({ email, password: PASSWORD });
    expect(made.body).toMatchObject({ state: 'active', link: null, invitedUntil: null });
    expect((await signIn({ email })).body.person).toMatchObject({ id: made.body.id, role: 'member' });
    expectFailure(await add({ email }), 409, 'member_exists', 'email');
  });

  test('are added, changed and removed by an admin only', async () => {
    const member = await world.makeMember('member');
    const as = await world.token(member);
    const path = `/app/members/${member.personId}`;
    expectFailure(await add({ email: anEmail() }, as), 403, 'admin_only');
    expectFailure(await world.ask('PATCH', path, { as, body: { role: 'admin' } }), 403, 'admin_only');
    expectFailure(await world.ask('DELETE', path, { as }), 403, 'admin_only');
    expect((await world.ask('GET', '/app/members', { as })).status).toBe(200);
  });

  test('change their role from the next request on', async () => {
    const member = await world.makeMember('member');
    const as = await world.token(member);
    const path = `/app/members/${member.personId}`;
    expect((await world.ask('PATCH', path, { as: admin, body: { role: 'admin' } })).body.role).toBe('admin');
    expect((await world.ask('GET', '/app/plan', { as })).status).toBe(200);
    await world.ask('PATCH', path, { as: admin, body: { role: 'member' } });
    expectFailure(await world.ask('GET', '/app/plan', { as }), 403, 'admin_only');
  });

  test('are out at once when they are removed, while their keys stay', async () => {
    const email = anEmail();
    await add({ email, password: PASSWORD, role: 'admin' });
    const session = await signIn({ email });
    const key = await world.ask('POST', '/app/keys', { as: session.body.token, body: { name: 'x', access: 'read' } });
    await world.ask('DELETE', `/app/members/${session.body.person.id}`, { as: admin });
    expectFailure(await me(session.body.token), 401, 'invalid_token');
    const cookie = { cookie: `earshot_session=${cookieOf(session)}` };
    expectFailure(await world.ask('POST', '/app/session', { headers: cookie }), 401, 'invalid_token');
    expectFailure(await signIn({ email }), 401, 'invalid_credentials');
    expect((await world.get('/v1/me', key.body.key)).status).toBe(200);
    const back = await add({ email });
    expect((await accept(back, { password: 'a password of their own' })).status).toBe(200);
  });

  test('of another workspace are not there', async () => {
    const other = await secondWorkspace();
    const path = `/app/members/${other.personId}`;
    expectFailure(await world.ask('DELETE', path, { as: admin }), 404, 'member_not_found');
    expectFailure(await world.ask('PATCH', path, { as: admin, body: { role: 'member' } }), 404, 'member_not_found');
    expect((await world.ask('GET', '/app/members', { as: admin })).text).not.toContain(other.personId);
  });

  test('are walked page by page', async () => {
    const whole = (await world.ask('GET', '/app/members?limit=100', { as: admin })).body.data;
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url: string = `/app/members?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await world.ask('GET', url, { as: admin });
      walked.push(...body.data.map((each: Loose) => each.id));
      cursor = body.nextCursor;
    }
    expect(walked).toEqual(whole.map((each: Loose) => each.id));
  });

  test.each([
    [{ email: 'x' }, 'email'],
    [{ email: 'a@example.com', role: 'owner' }, 'role'],
    [{ email: 'a@example.com', name: '' }, 'name'],
    [{ email: 'a@example.com', password: 'short' }, 'password'],
    [{ email: 'a@example.com', colour: 1 }, 'colour'],
    [{}, 'email'],
  ])('%j is refused and %s is named', async (body, param) => {
    expectFailure(await add(body), 400, 'invalid_parameter', param);
  });
});

describe('the last admin', () => {
  test('can neither go nor become a member', async () => {
    const other = await secondWorkspace();
    const path = `/app/members/${other.personId}`;
    await add({ email: anEmail(), role: 'admin' }, other.admin);
    const demoted = await world.ask('PATCH', path, { as: other.admin, body: { role: 'member' } });
    expectFailure(demoted, 409, 'last_admin');
    expectFailure(await world.ask('DELETE', path, { as: other.admin }), 409, 'last_admin');
    expect((await world.ask('GET', '/app/plan', { as: other.admin })).status).toBe(200);
  });

  test('stays also when two admins remove each other at the same moment', async () => {
    for (let times = 0; times < 5; times += 1) {
      const other = await secondWorkspace();
      const second = await add({ email: anEmail(), role: 'admin' }, other.admin);
      const secondToken = (await accept(second)).body.token;
      const answers = await Promise.all([
        world.ask('DELETE', `/app/members/${second.body.id}`, { as: other.admin }),
        world.ask('DELETE', `/app/members/${other.personId}`, { as: secondToken }),
      ]);
      const { rows } = await sql<{ admins: number }>`
        select count(*)::int as admins from memberships where workspace_id = ${other.workspaceId} and role = 'admin'
      `.execute(world.database.em().getKysely());
      expect([rows[0]?.admins, answers.filter(({ status }) => status === 200).length]).toEqual([1, 1]);
    }
  });
});

describe('several workspaces', () => {
  const DEMO = {
    demoUrl: 'http://127.0.0.1:1',
    demoAgents: [
      { providerAgentId: 'agent_a', name: 'Clinic' },
      { providerAgentId: 'agent_b', name: 'Parcels' },
    ],
    polling: { polls: true, pollSeconds: 60 },
  };
  const agentsOf = async (as: string): Promise<Loose[]> => (await world.get('/v1/agents?limit=100', as)).body.data;

  test('are made by anybody, who becomes admin there and gets a copy of the first demo agent', async () => {
    await ensureDemoAgents({ database: world.database, vault: world.services.vault, ...DEMO });
    const email = anEmail();
    const person = (await accept(await add({ email }))).body.person;
    const session = await signIn({ email });
    const made = await world.ask('POST', '/app/workspaces', { as: session.body.token, body: { name: 'North' } });
    expect(made.body).toEqual({ object: 'workspace', id: made.body.id, name: 'North' });

    expect((await signIn({ email })).body.person.workspaceId).toBe(world.workspaceId);
    const there = await signIn({ email, workspaceId: made.body.id.toUpperCase() });
    expect(there.body.person).toMatchObject({ id: person.id, workspaceId: made.body.id, role: 'admin' });
    expect((await me(there.body.token)).body).toMatchObject({
      object: 'person',
      email,
      workspaceId: made.body.id,
      role: 'admin',
      workspaces: [
        { id: world.workspaceId, name: 'A workspace', role: 'member' },
        { id: made.body.id, name: 'North', role: 'admin' },
      ],
    });
    const names = (await agentsOf(there.body.token)).map((agent) => [agent.name, agent.readOnly]);
    expect(names).toEqual(
      expect.arrayContaining([
        ['Clinic (copy)', false],
        ['Clinic', true],
        ['Parcels', true],
      ]),
    );
    expect(names).toHaveLength(3);
    const again = await ensureDemoAgents({ database: world.database, vault: world.services.vault, ...DEMO });
    expect(again.agents.filter((agent) => agent.importId !== null)).toEqual([]);
  });

  test('are three that one person makes, and the installation is none of them', async () => {
    const making = async (as: string) => world.ask('POST', '/app/workspaces', { as, body: { name: 'Another' } });
    const maker = await world.token();
    const answers = await Promise.all(Array.from({ length: 5 }, () => making(maker)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409]);
    expectFailure(await making(maker), 409, 'too_many_workspaces');
    expect((await making(await world.token(await world.makeMember('member')))).status).toBe(200);
  });

  test('a shared demo agent is copied once, and the copy can be changed', async () => {
    const other = await secondWorkspace();
    const shared = (await agentsOf(other.admin)).find((agent) => agent.name === 'Parcels');
    const copy = await world.ask('POST', '/app/agents/copy-demo', { as: other.admin, body: { agentId: shared.id } });
    expect(copy.body).toMatchObject({ name: 'Parcels (copy)', readOnly: false, source: 'demo' });
    const again = await world.ask('POST', '/app/agents/copy-demo', { as: other.admin, body: { agentId: shared.id } });
    expect(again.body.id).toBe(copy.body.id);
    const path = `/app/agents/${copy.body.id}`;
    expect((await world.ask('PATCH', path, { as: other.admin, body: { graceDays: 9 } })).body.graceDays).toBe(9);
    expectFailure(await world.get(`/v1/agents/${copy.body.id}`), 404, 'agent_not_found');
    const imports = await world.ask('GET', `${path}/imports`, { as: other.admin });
    expect(imports.body.data).toHaveLength(1);
  });

  test('only copies of the demo are outside of the plan: not what an address of somebody else shows as a demo', async () => {
    const { admin } = await secondWorkspace();
    const shared = (await agentsOf(admin)).find((agent) => agent.name === 'Parcels');
    await world.ask('POST', '/app/agents/copy-demo', { as: admin, body: { agentId: shared.id } });
    const agentsOfPlan = async () => (await world.ask('GET', '/app/plan', { as: admin })).body.used.agents;
    const before = await agentsOfPlan();
    const own = { platform: 'demo', apiKey: 'mine', baseUrl: 'https://voice.example.com', providerAgentId: 'sales' };
    const made = await world.ask('POST', '/app/agents', { as: admin, body: own });
    expect([made.body.provider, made.body.source]).toEqual(['retell', 'retell']);
    expect(await agentsOfPlan()).toBe(before + 1);

    const connections = await world.ask('GET', '/app/connections', { as: admin });
    const demo = connections.body.data.find((one: Loose) => one.baseUrl !== own.baseUrl && one.platform === 'demo');
    const at = `/app/connections/${demo.id}`;
    const elsewhere = { apiKey: 'mine', baseUrl: own.baseUrl };
    expectFailure(await world.ask('PATCH', at, { as: admin, body: elsewhere }), 400, 'invalid_parameter', 'apiKey');
    const further = { connectionId: demo.id, providerAgentId: 'another' };
    expect((await world.ask('POST', '/app/agents', { as: admin, body: further })).body.source).toBe('retell');
    expect(await agentsOfPlan()).toBe(before + 2);
  });

  test('what is no shared demo agent is not copied, and what is foreign is not there', async () => {
    const other = await secondWorkspace();
    const foreignAgent = await world.makeAgent({ workspaceId: other.workspaceId });
    const copyOf = (agentId: string) => world.ask('POST', '/app/agents/copy-demo', { as: admin, body: { agentId } });
    expectFailure(await copyOf(world.agentId), 400, 'invalid_parameter', 'agentId');
    expectFailure(await copyOf(foreignAgent), 404, 'agent_not_found', 'agentId');
    expectFailure(await copyOf(newId()), 404, 'agent_not_found', 'agentId');
  });

  test('one session gives tokens for each of them, and for no other', async () => {
    const email = anEmail();
    await accept(await add({ email }));
    const other = await secondWorkspace();
    await accept(await add({ email }, other.admin));
    const foreign = await secondWorkspace();
    let cookie = cookieOf(await signIn({ email }));
    const renew = async (body?: unknown) => {
      const headers = { cookie: `earshot_session=${cookie}` };
      const answer = await world.ask('POST', '/app/session', { headers, ...(body === undefined ? {} : { body }) });
      cookie = cookieOf(answer) || cookie;
      return answer;
    };
    const before = cookie;
    expectFailure(await renew({ workspaceId: foreign.workspaceId }), 404, 'workspace_not_found', 'workspaceId');
    expectFailure(await renew({ workspaceId: newId() }), 404, 'workspace_not_found', 'workspaceId');
    expect(cookie).toBe(before);
    const there = await renew({ workspaceId: other.workspaceId });
    const here = await renew();
    expect((await me(there.body.token)).body.workspaceId).toBe(other.workspaceId);
    expect((await me(here.body.token)).body.workspaceId).toBe(world.workspaceId);
    expectFailure(await world.get(`/v1/agents/${world.agentId}`, there.body.token), 404, 'agent_not_found');
  });
});

describe('a password', () => {
  test('is changed by who knows it, and ends the other sessions', async () => {
    const email = anEmail();
    const { id: personId } = (await add({ email, password: PASSWORD })).body;
    const [first, second] = [await signIn({ email }), await signIn({ email })];
    const standing = await openSession(world.database.em(), world.services, {
      workspaceId: world.workspaceId,
      personId,
      rotates: false,
    });
    const cookie = `earshot_session=${encodeURIComponent(standing.secret)}`;
    const renewed = () => world.ask('POST', '/app/session', { headers: { cookie } });
    expect((await renewed()).status).toBe(200);
    const changeTo = (currentPassword: string, newPassword: string) =>
      world.ask('POST', '/app/password', { as: first.body.token, body: { currentPassword, newPassword } });
    expectFailure(
      await changeTo('not the password', 'a new long password'),
      401,
      'invalid_credentials',
      'currentPassword',
    );
    expectFailure(await changeTo(PASSWORD, 'short'), 400, 'invalid_parameter', 'newPassword');
    expect((await changeTo(PASSWORD, 'a new long password')).body).toEqual({ changed: true, endedSessions: 2 });
    expect((await me(first.body.token)).status).toBe(200);
    expectFailure(await me(second.body.token), 401, 'invalid_token');
    expect((await renewed()).status).toBe(401);
    expectFailure(await signIn({ email }), 401, 'invalid_credentials');
    expect((await signIn({ email, password: 'a new long password' })).status).toBe(200);
  });

  test('that was forgotten is set anew by a link of an admin, and ends every session', async () => {
    const email = anEmail();
    const { id } = (await add({ email, password: PASSWORD })).body;
    const session = await signIn({ email });
    const make = (as: string) => world.ask('POST', `/app/members/${id}/password-link`, { as });
    expectFailure(await make(session.body.token), 403, 'admin_only');
    const [replaced, made] = [await make(admin), await make(admin)];
    expectFailure(await accept(replaced), 404, 'link_not_found');
    expect((await readLink(world, made)).body).toMatchObject({ purpose: 'password', madeBy: { name: 'An admin' } });
    expect((await accept(made, { password: 'a new long password' })).body.person.email).toBe(email);
    expectFailure(await me(session.body.token), 401, 'invalid_token');
    expectFailure(await signIn({ email }), 401, 'invalid_credentials');
    const again = await signIn({ email, password: 'a new long password' });
    expect(again.status).toBe(200);

    const open = await make(admin);
    const body = { currentPassword: 'a new long password', newPassword: 'my own long password' };
    expect((await world.ask('POST', '/app/password', { as: again.body.token, body })).status).toBe(200);
    expectFailure(await accept(open, { password: 'a password of the finder' }), 404, 'link_not_found');
  });

  test('of a person of several workspaces is no admin’s of one of them, not by an older link either', async () => {
    const email = anEmail();
    const { id } = (await accept(await add({ email }))).body.person;
    const make = () => world.ask('POST', `/app/members/${id}/password-link`, { as: admin });
    const [older, other] = [await make(), await secondWorkspace()];
    await accept(await add({ email }, other.admin));
    expectFailure(await accept(older, { password: 'a new long password' }), 404, 'link_not_found');
    expectFailure(await make(), 403, 'admin_only');
    const invited = await add({ email: anEmail() });
    const path = `/app/members/${invited.body.id}/password-link`;
    expectFailure(await world.ask('POST', path, { as: admin }), 404, 'member_not_found');
  });

  test('takes as long to refuse for an address that nobody has', async () => {
    const email = anEmail();
    await add({ email, password: PASSWORD });
    const timed = async (address: string) => {
      const times: number[] = [];
      for (let tries = 0; tries < 5; tries += 1) {
        const start = performance.now();
        expectFailure(await signIn({ email: address, password: 'not the password' }), 401, 'invalid_credentials');
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[0] ?? 0;
    };
    const [known, unknown] = [await timed(email), await timed(anEmail())];
    expect(unknown / known).toBeGreaterThan(0.2);
    expect(unknown / known).toBeLessThan(5);
  });
});
