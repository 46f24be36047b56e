import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { createIdentityProvider } from '../../src/identity/identity-provider.ts';
import type { OpenIdentity } from '../../src/identity/open-identity.ts';
import { newId } from '../../src/ids.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { CLIENT, type IdentityServer, startIdentityServer } from '../support/identity-server.ts';
import { bySession, cookieOf, readLink, useLink } from '../support/links.ts';
import { createWorld, expectFailure, forgetBuckets, type Loose, type World } from '../support/world.ts';

const GROUPS = new Map([
  ['voice admins', 'admin'],
  ['approvers', 'approver'],
  ['staff', 'member'],
] as const);

let world: World;
let server: IdentityServer;
let identity: OpenIdentity;
let app: FastifyInstance;
let clockMs = 0;
/** The provider's module has a clock of its own. */
let keysClockMs = 0;

beforeAll(async () => {
  [world, server] = await Promise.all([createWorld(), startIdentityServer()]);
});
afterAll(async () => {
  await app?.close();
  await identity?.close();
  await server?.close();
  await world?.close();
});

/** A fresh process: nothing of the provider is remembered. */
beforeEach(async () => {
  await app?.close();
  await identity?.close();
  clockMs = 0;
  keysClockMs = 0;
  const oidc = {
    issuer: server.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scope: 'openid email profile',
    groupsClaim: 'groups',
  };
  const outbound = createOutbound({ allow: [], trustedOrigins: [server.issuer] });
  identity = {
    provider: createIdentityProvider({ ...oidc, outbound, now: () => new Date(Date.now() + keysClockMs) }),
    close: () => outbound.close(),
  };
  const ready = { ok: true, message: 'Answers.' };
  app = await buildApp({
    services: {
      ...world.services,
      now: () => new Date(Date.now() + clockMs),
      identity: { name: 'Example', provider: identity.provider, roles: GROUPS },
    },
    health: {
      database: async () => ready,
      readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
      accepting: () => true,
    },
  });
  const email = `${newId()}@example.com`;
  Object.assign(server, { person: { sub: newId(), email, email_verified: true } });
  Object.assign(server, { claims: {}, forges: false, brokenWith: 0, userInfo: null });
  await forgetBuckets(world.database);
});

interface Came {
  status: number;
  text: string;
  cookies: string[];
  headers: Record<string, unknown>;
}

async function visit(url: string, cookie?: string): Promise<Came> {
  const answer = await app.inject({ method: 'GET', url, headers: cookie === undefined ? {} : { cookie } });
  const set = answer.headers['set-cookie'];
  return {
    status: answer.statusCode,
    text: answer.body,
    cookies: set === undefined ? [] : [set].flat(),
    headers: answer.headers,
  };
}

const bare = (cookies: string[], name: string) => cookies.find((line) => line.startsWith(`${name}=`))?.split(';')[0];

/** Begins here, signs in at the provider. @returns the address that the provider sends the browser back to. */
async function begin(): Promise<{ back: string; cookie: string }> {
  const begun = await visit('/sign-in/oidc');
  expect(begun.status).toBe(303);
  const there = await fetch(String(begun.headers['location']), { redirect: 'manual' });
  const location = new URL(there.headers.get('location') ?? '');
  return { back: `${location.pathname}${location.search}`, cookie: bare(begun.cookies, 'earshot_sign_on') ?? '' };
}

async function signOn(change: (back: string) => string = (back) => back): Promise<Came> {
  const { back, cookie } = await begin();
  return visit(change(back), cookie);
}

/** Somebody whom the provider vouched for before, of a workspace or of none. */
async function makePerson(member: boolean): Promise<string> {
  const personId = newId();
  const db = world.database.em().getKysely();
  await sql`
    insert into people (id, email, name, proved_at) values (${personId}, ${server.person.email}, 'A person', now())
  `.execute(db);
  if (member) {
    await sql`insert into memberships (workspace_id, person_id, role) values (${world.workspaceId}, ${personId}, 'member')`.execute(
      db,
    );
  }
  return personId;
}

const below = (came: Came, method: 'GET' | 'POST', path: string, body?: Record<string, unknown>) =>
  bySession(world, (bare(came.cookies, 'earshot_session') ?? '').replace('earshot_session=', ''), method, path, body);

/** The secret of a browser that came in is replaced at each use, and good for a moment more. */
const tokenOf = (came: Came) => below(came, 'POST', '');

async function expectRefused(came: Came, status: number, words: RegExp): Promise<void> {
  expect(came.text).toMatch(words);
  expect(came.status).toBe(status);
  expect(came.headers['content-type']).toMatch(/^text\/html/);
  expect(bare(came.cookies, 'earshot_session')).toBeUndefined();
}

describe('signing in at the provider of the organization', () => {
  test('is offered beside the password, and only where it is set up', async () => {
    const offered = await app.inject({ method: 'GET', url: '/app/sign-in-methods' });
    expect(offered.json()).toEqual({
      object: 'sign_in_methods',
      password: true,
      provider: { name: 'Example', url: '/sign-in/oidc' },
    });
    expect((await world.ask('GET', '/app/sign-in-methods')).body.provider).toBeNull();
    expect((await world.ask('GET', '/sign-in/oidc')).status).toBe(404);
  });

  test('signs a member in with a session of our own', async () => {
    await makePerson(true);
    const came = await signOn();
    expect(came).toMatchObject({ status: 200, text: expect.stringContaining(server.person.email ?? '') });
    const cookie = came.cookies.find((line) => line.startsWith('earshot_session=')) ?? '';
    expect(cookie).toMatch(/Path=\/app\/session/);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Strict/);
    const { token } = (await tokenOf(came)).body;
    const me = await world.ask('GET', '/app/me', { as: token });
    expect(me.body).toMatchObject({ email: server.person.email });
  });

  test('asks whoever proves the address, whatever its letters, before they join a workspace', async () => {
    const email = server.person.email ?? '';
    const invited = await world.ask('POST', '/app/members', {
      as: await world.token(),
      body: { email, name: 'Invited', role: 'approver' },
    });
    server.person.email = email.toUpperCase();
    const came = await signOn();
    expect(came.status).toBe(200);
    expectFailure(await tokenOf(came), 403, 'no_workspace');
    const waiting = await below(came, 'GET', '/invitations');
    expect(waiting.body).toEqual({
      object: 'own_invitations',
      email,
      isProved: true,
      invitations: [
        {
          object: 'invitation',
          id: invited.body.id,
          workspaceName: 'A workspace',
          role: 'approver',
          invitedBy: { name: 'An admin', email: expect.stringContaining('@'), emailVerified: false },
          createdAt: expect.any(String),
          invitedUntil: expect.any(String),
        },
      ],
      accounts: [],
    });
    const said = await below(came, 'POST', '/invitations/accept', { invitationId: invited.body.id });
    expect(said.body).toEqual({ object: 'workspace', id: world.workspaceId, name: 'A workspace' });
    const { token } = (await tokenOf(came)).body;
    expect((await world.ask('GET', '/app/me', { as: token })).body).toMatchObject({ email, role: 'approver' });
    expectFailure(
      await below(came, 'POST', '/invitations/accept', { invitationId: invited.body.id }),
      404,
      'invitation_not_found',
    );
    expectFailure(await readLink(world, invited), 404, 'link_not_found');
  });

  test('gives a member the role of their groups at each sign-in, and takes it with the group', async () => {
    const personId = await makePerson(true);
    const roleNow = async () => {
      const { token } = (await tokenOf(await signOn())).body;
      return (await world.ask('GET', '/app/me', { as: token })).body.role;
    };
    server.claims = { groups: ['staff', 'voice admins', 'constructor'] };
    expect(await roleNow()).toBe('admin');
    server.claims = { groups: 'approvers' };
    expect(await roleNow()).toBe('approver');
    expect(await roleNow()).toBe('approver');
    const log = await world.ask('GET', '/app/audit', { as: await world.token() });
    const changes = log.body.data.filter(
      ({ operation, userId }: Loose) => operation === 'changeRole' && userId === personId,
    );
    expect(changes).toMatchObject([{ targetIds: [personId] }, { targetIds: [personId] }]);
    // Some providers name groups only when they are asked for them, and people in none by no claim at all.
    server.claims = {};
    Object.assign(server, { userInfo: { ...server.person, groups: ['staff'] } });
    expect(await roleNow()).toBe('member');
    Object.assign(server, { userInfo: { ...server.person } });
    expect(await roleNow()).toBe('viewer');
    // Too many to be sent: no role is made of what nobody said.
    server.claims = { _claim_names: { groups: 'src1' } };
    await expectRefused(await signOn(), 403, /does not say in which groups you are/);
  });

  test('keeps the last admin whatever their groups are, and leaves roles in other workspaces to their admins', async () => {
    const personId = await makePerson(true);
    const db = world.database.em().getKysely();
    const { workspaceId: other } = await world.makeWorkspace();
    await sql`insert into memberships (workspace_id, person_id, role) values (${other}, ${personId}, 'approver')`.execute(
      db,
    );
    const others = await sql<{ person_id: string; role: string }>`
      select person_id, role from memberships where workspace_id = ${world.workspaceId} and role = 'admin'`.execute(db);
    await sql`update memberships set role = 'member' where workspace_id = ${world.workspaceId} and role = 'admin'`.execute(
      db,
    );
    await sql`update memberships set role = 'admin' where workspace_id = ${world.workspaceId} and person_id = ${personId}`.execute(
      db,
    );
    server.claims = { groups: [] };
    const { token } = (await tokenOf(await signOn())).body;
    const me = (await world.ask('GET', '/app/me', { as: token })).body;
    const roles = new Map(me.workspaces.map(({ id, role }: { id: string; role: string }) => [id, role]));
    for (const { person_id: id } of others.rows) {
      await sql`update memberships set role = 'admin' where workspace_id = ${world.workspaceId} and person_id = ${id}`.execute(
        db,
      );
    }
    expect([roles.get(world.workspaceId), roles.get(other)]).toEqual(['admin', 'approver']);
  });

  test('shows a member who signs in what else they are invited to, and takes their no', async () => {
    const personId = await makePerson(true);
    const other = await world.makeWorkspace();
    const invited = await world.ask('POST', '/app/members', {
      as: await world.token(other),
      body: { email: server.person.email, name: 'Invited', role: 'admin' },
    });
    const came = await signOn();
    const { token } = (await tokenOf(came)).body;
    expect((await world.ask('GET', '/app/me', { as: token })).body.workspaces).toHaveLength(1);
    expect((await below(came, 'GET', '/invitations')).body.invitations).toHaveLength(1);
    const no = await below(came, 'POST', '/invitations/decline', { invitationId: invited.body.id });
    expect(no.body).toEqual({ object: 'invitation', declined: true });
    expect((await below(came, 'GET', '/invitations')).body.invitations).toEqual([]);
    const log = await world.ask('GET', '/app/audit', { as: await world.token(other) });
    expect(log.body.data[0]).toMatchObject({
      operation: 'declineInvitation',
      userId: personId,
      targetIds: [invited.body.id],
    });
  });

  test('enters no account that others could have made under the address, and gives it to its owner who asks', async () => {
    const squatter = await world.makeWorkspace();
    const email = server.person.email ?? '';
    const password = 'the password of somebody else';
    const taken = await world.ask('POST', '/app/members', {
      as: await world.token(squatter),
      body: { email, name: 'Taken', role: 'member' },
    });
    const inside = await useLink(world, taken, { password });
    expect(inside.status).toBe(200);

    const came = await signOn();
    expectFailure(await tokenOf(came), 403, 'no_workspace');
    const { accounts } = (await below(came, 'GET', '/invitations')).body;
    expect(accounts).toMatchObject([
      { id: inside.body.person.id, workspaces: [{ name: 'A workspace', role: 'member' }] },
    ]);
    expect((await world.ask('GET', '/app/me', { as: inside.body.token })).status).toBe(200);
    const own = { accountId: newId() };
    expectFailure(await below(came, 'POST', '/accounts/take-over', own), 404, 'account_not_found');
    expectFailure(
      await bySession(world, cookieOf(inside), 'POST', '/accounts/take-over', { accountId: inside.body.person.id }),
      404,
      'account_not_found',
    );
    const given = await below(came, 'POST', '/accounts/take-over', { accountId: inside.body.person.id });
    expect(given.body).toEqual({
      object: 'account',
      id: inside.body.person.id,
      workspaces: [{ id: squatter.workspaceId, name: 'A workspace' }],
    });
    expect((await world.ask('POST', '/app/sign-in', { body: { email, password } })).status).toBe(401);
    expect((await world.ask('GET', '/app/me', { as: inside.body.token })).status).toBe(401);
    expect((await bySession(world, cookieOf(inside), 'POST', '')).status).toBe(401);
    const me = await world.ask('GET', '/app/me', { as: (await tokenOf(came)).body.token });
    expect(me.body).toMatchObject({ id: inside.body.person.id, workspaces: [{ id: squatter.workspaceId }] });
    expect((await tokenOf(await signOn())).status).toBe(200);
  });

  test('keeps a password that was chosen after the address was proved', async () => {
    await makePerson(true);
    expect((await signOn()).status).toBe(200);
    const db = world.database.em().getKysely();
    await sql`update people set password_hash = 'scrypt$kept' where email = ${server.person.email}`.execute(db);
    expect((await signOn()).status).toBe(200);
    const { rows } = await sql<{ hash: string }>`
      select password_hash as hash from people where email = ${server.person.email}`.execute(db);
    expect(rows[0]?.hash).toBe('scrypt$kept');
  });

  test('knows a person by the subject, whatever becomes of the address', async () => {
    const personId = await makePerson(true);
    expect((await signOn()).status).toBe(200);
    const email = server.person.email ?? '';
    server.person = { ...server.person, email: `${newId()}@example.com` };
    const { token } = (await tokenOf(await signOn())).body;
    expect((await world.ask('GET', '/app/me', { as: token })).body).toMatchObject({
      id: personId,
      email: server.person.email,
    });
    server.person = { sub: newId(), email, email_verified: true };
    await expectRefused(await signOn(), 401, /Nobody with the address/);
  });

  test('gives an address to whom the provider gives it, and nothing that the one before has', async () => {
    const personId = await makePerson(true);
    const first = await signOn();
    const invited = await world.ask('POST', '/app/members', {
      as: await world.token(await world.makeWorkspace()),
      body: { email: server.person.email, name: 'The next one', role: 'member' },
    });
    const [before, email] = [server.person, server.person.email ?? ''];
    server.person = { sub: newId(), email, email_verified: true };
    const second = await signOn();
    expect((await below(second, 'GET', '/invitations')).body).toMatchObject({
      invitations: [{ id: invited.body.id }],
      accounts: [],
    });
    expect((await below(first, 'GET', '/invitations')).body).toMatchObject({ isProved: false, invitations: [] });
    expectFailure(
      await below(first, 'POST', '/invitations/accept', { invitationId: invited.body.id }),
      404,
      'invitation_not_found',
    );
    server.person = { ...before, email: `${newId()}@example.com` };
    const { token } = (await tokenOf(await signOn())).body;
    expect((await world.ask('GET', '/app/me', { as: token })).body).toMatchObject({ id: personId });
  });

  test('lets nobody in who is neither a member nor invited, known or not', async () => {
    await expectRefused(await signOn(), 401, /Nobody with the address .* belongs here/);
    await makePerson(false);
    await expectRefused(await signOn(), 401, /Nobody with the address .* belongs here/);
  });

  test('asks the provider for the address where its token has none', async () => {
    await makePerson(true);
    const { sub, email } = server.person;
    server.person = { sub };
    server.userInfo = { sub, email, email_verified: true };
    expect((await signOn()).status).toBe(200);
    server.userInfo = { sub: 'somebody else', email, email_verified: true };
    await expectRefused(await signOn(), 403, /not say that your e-mail address is verified/);
  });

  test.each([
    ['not verified', { email_verified: false }],
    ['said to be verified in other words', { email_verified: undefined }],
  ])('lets nobody in whose address is %s', async (_what, said) => {
    await makePerson(true);
    server.person = { sub: 's', email: server.person.email ?? '', ...said };
    await expectRefused(await signOn(), 403, /not say that your e-mail address is verified/);
  });

  const now = () => Math.floor(Date.now() / 1000);
  test.each([
    ['of another sign-in', () => ({ nonce: 'another' })],
    ['for another client', () => ({ aud: 'another client' })],
    ['for several clients that does not name us as the one who asked', () => ({ aud: [CLIENT.id, 'another'] })],
    ['asked for by another client', () => ({ azp: 'another client' })],
    ['of another issuer', () => ({ iss: 'https://accounts.example.com' })],
    ['that has expired', () => ({ exp: now() - 60, iat: now() - 120 })],
    ['that is old, although it has not expired', () => ({ iat: now() - 3_600 })],
    ['without an end', () => ({ exp: undefined })],
    ['of nobody', () => ({ sub: '' })],
  ])('refuses a token %s', async (_what, claims) => {
    await makePerson(true);
    server.claims = claims();
    await expectRefused(await signOn(), 401, /does not prove who you are/);
  });

  test('refuses a token that was signed with a key which the provider does not publish', async () => {
    await makePerson(true);
    server.forges = true;
    await expectRefused(await signOn(), 401, /does not prove who you are/);
  });

  test('goes on when the provider changes its keys', async () => {
    await makePerson(true);
    expect((await signOn()).status).toBe(200);
    await server.rotate();
    await expectRefused(await signOn(), 401, /does not prove/);
    keysClockMs = 31_000;
    expect((await signOn()).status).toBe(200);
  });

  test('refuses another state, no state, and a sign-in that was begun in another browser', async () => {
    await makePerson(true);
    await expectRefused(await signOn((back) => back.replace(/state=[^&]+/, 'state=forged')), 401, /not begun in this/);
    await expectRefused(await signOn((back) => back.replace(/state=[^&]+&?/, '')), 401, /not begun in this/);
    const [mine, theirs] = [await begin(), await begin()];
    await expectRefused(await visit(mine.back, theirs.cookie), 401, /not begun in this/);
    await expectRefused(await visit(mine.back), 401, /not begun in this/);
    await expectRefused(await visit(mine.back, `${mine.cookie}x`), 401, /not begun in this/);
  });

  test('takes a code once: the same address visited again signs nobody in', async () => {
    await makePerson(true);
    const { back, cookie } = await begin();
    expect((await visit(back, cookie)).status).toBe(200);
    await expectRefused(await visit(back, cookie), 401, /did not confirm/);
  });

  test('takes no code that was given for another sign-in', async () => {
    await makePerson(true);
    const [first, second] = [await begin(), await begin()];
    const code = new URLSearchParams(first.back.split('?')[1]).get('code') ?? '';
    await expectRefused(
      await visit(second.back.replace(/code=[^&]+/, `code=${code}`), second.cookie),
      401,
      /did not confirm/,
    );
  });

  test('refuses a sign-in that took longer than ten minutes, and one from another provider', async () => {
    await makePerson(true);
    const { back, cookie } = await begin();
    clockMs = 601_000;
    await expectRefused(await visit(back, cookie), 401, /took too long/);
    clockMs = 0;
    await expectRefused(
      await signOn((url) => url.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Felsewhere.example.com')),
      401,
      /another provider/,
    );
  });

  test('says what the provider refused without repeating its words', async () => {
    const came = await signOn((back) => back.replace(/code=[^&]+/, 'error=access_denied&error_description=<b>no</b>'));
    await expectRefused(came, 403, /did not let you in/);
    expect(came.text).not.toContain('<b>');
  });

  test('says that the provider is away, before and after the person was there, and goes on when it is back', async () => {
    await makePerson(true);
    server.brokenWith = 503;
    await expectRefused(await visit('/sign-in/oidc'), 503, /cannot be used now/);
    server.brokenWith = 0;
    const { back, cookie } = await begin();
    server.brokenWith = 503;
    await expectRefused(await visit(back, cookie), 503, /out of order/);
    server.brokenWith = 0;
    expect((await signOn()).status).toBe(200);
  });

  test('counts refused sign-ins against the address, and then refuses true ones for a while too', async () => {
    await makePerson(true);
    for (let at = 0; at < 30; at += 1) expect((await visit('/sign-in/oidc/callback?state=x&code=y')).status).toBe(401);
    const shut = await visit('/sign-in/oidc/callback?state=x&code=y');
    expect(shut.status).toBe(429);
    expect(shut.headers['retry-after']).toBeDefined();
    expect((await visit('/sign-in/oidc')).status).toBe(429);
  });
});

describe('the configuration of a provider', () => {
  const base = { DATABASE_URL: 'postgres://x', EARSHOT_SECRET: 'x'.repeat(32) };
  const all = {
    ...base,
    EARSHOT_OIDC_ISSUER: 'https://accounts.example.com',
    EARSHOT_OIDC_CLIENT_ID: 'id',
    EARSHOT_OIDC_CLIENT_SECRET: 'secret',
  };
  test('is whole or not there', () => {
    expect(readConfig(base).oidc).toBeNull();
    expect(readConfig(all).oidc).toMatchObject({ issuer: 'https://accounts.example.com', name: 'Single sign-on' });
    const { EARSHOT_OIDC_CLIENT_SECRET: _left, ...part } = all;
    expect(() => readConfig(part)).toThrow(/set all three, or none/);
  });
  test('refuses a provider that is reached in the open, and a public address that nobody could be led by', () => {
    expect(() => readConfig({ ...all, EARSHOT_OIDC_ISSUER: 'http://accounts.example.com' })).toThrow(ConfigError);
    expect(readConfig(all).oidc).toMatchObject({ groups: null, scope: 'openid email profile' });
    const mapped = { ...all, EARSHOT_OIDC_ROLES: '{"voice": "member"}', EARSHOT_OIDC_GROUPS_CLAIM: 'roles' };
    expect(readConfig(mapped).oidc?.groups).toEqual({ claim: 'roles', roles: new Map([['voice', 'member']]) });
    for (const roles of ['voice=member', '{"voice": "owner"}', '["voice"]']) {
      expect(() => readConfig({ ...all, EARSHOT_OIDC_ROLES: roles })).toThrow(ConfigError);
    }
    expect(() => readConfig({ ...all, EARSHOT_OIDC_SCOPE: 'email' })).toThrow(ConfigError);
    const publicUrl = (given: string) => readConfig({ ...base, EARSHOT_PUBLIC_URL: given }).publicUrl;
    expect(() => publicUrl('https://example.com/earshot?x=1')).toThrow(/must be an address/);
    expect(() => publicUrl('https://example.com/v1/earshot')).toThrow(/must not begin with a path that Earshot uses/);
    expect(publicUrl('https://example.com/')).toBe('https://example.com');
    expect(publicUrl('https://example.com/tools/earshot/')).toBe('https://example.com/tools/earshot');
  });
});
