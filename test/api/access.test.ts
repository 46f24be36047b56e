import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureFirstWorkspace } from '../../src/operations/setup/first-workspace.ts';
import { keptCheaply } from '../support/cheap-password.ts';
import { secretOf } from '../support/links.ts';
import { type Answered, createWorld, expectFailure, type World } from '../support/world.ts';

const PASSWORD = 'a long enough password';
let now = new Date();
let world: World;

beforeAll(async () => {
  world = await createWorld({ now: () => now });
});
beforeEach(() => {
  now = new Date();
});
afterAll(() => world.close());

const db = () => world.database.em().getKysely();
const cookieOf = (answer: Answered) =>
  /earshot_session=([^;]*)/.exec([answer.headers['set-cookie'] ?? ''].flat().join())?.[1];
const renew = (cookie: string) =>
  world.ask('POST', '/app/session', { headers: { cookie: `earshot_session=${cookie}` } });

async function signUp(): Promise<{ email: string; personId: string }> {
  const who = await world.makeMember('member');
  const email = `${who.personId}@example.com`;
  await sql`update people set password_hash = ${keptCheaply(PASSWORD)} where id = ${who.personId}`.execute(db());
  return { email, personId: who.personId };
}

describe('signing in', () => {
  test('gives a token of a minute and a refresh secret that scripts cannot read', async () => {
    const { email, personId } = await signUp();
    const answer = await world.ask('POST', '/app/sign-in', {
      body: { email: email.toUpperCase(), password: PASSWORD },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.person).toEqual({
      id: personId,
      email,
      name: 'A member',
      workspaceId: world.workspaceId,
      role: 'member',
    });
    expect(Date.parse(answer.body.expiresAt) - now.getTime()).toBeLessThanOrEqual(60_000);
    const cookies = [answer.headers['set-cookie'] ?? []].flat();
    expect(cookies.map((line) => line.split('=')[0])).toEqual(['earshot_device', 'earshot_session']);
    for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly.*SameSite=Strict/);
    expect((await world.get('/v1/me', answer.body.token)).body).toMatchObject({
      principalKind: 'person',
      scope: 'person',
    });
  });

  test('answers the same for a wrong password, an unknown address and a foreign workspace', async () => {
    const { email } = await signUp();
    const foreign = await world.makeWorkspace();
    for (const body of [
      { email, password: 'not the password' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email, password: PASSWORD, workspaceId: foreign.workspaceId },
    ]) {
      const answer = await world.ask('POST', '/app/sign-in', { body });
      expectFailure(answer, 401, 'invalid_credentials');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test('a token works for its minute and five seconds more, then no longer', async () => {
    const token = await world.token();
    now = new Date(now.getTime() + 63_000);
    expect((await world.get('/v1/me', token)).status).toBe(200);
    now = new Date(now.getTime() + 4_000);
    expectFailure(await world.get('/v1/me', token), 401, 'invalid_token');
  });

  test('a token that was altered, or signed by nobody, is refused', async () => {
    const token = await world.token();
    const [head, body, signature] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const forged of [`${head}.${body}.`, `${none}.${body}.`, `${head}.${body}x.${signature}`, `${token}x`]) {
      expectFailure(await world.get('/v1/me', forged), 401, 'invalid_token');
    }
  });
});

describe('the session behind the tokens', () => {
  async function session(): Promise<string> {
    const { email } = await signUp();
    return cookieOf(await world.ask('POST', '/app/sign-in', { body: { email, password: PASSWORD } })) ?? '';
  }

  test('is rotated at each use, and the secret before still works for a moment', async () => {
    const first = await session();
    const renewed = await renew(first);
    const second = cookieOf(renewed) ?? '';
    expect(second).not.toBe(first);
    expect((await world.get('/v1/me', renewed.body.token)).status).toBe(200);
    const again = await renew(first);
    expect([again.status, cookieOf(again)]).toEqual([200, undefined]);
    expect((await renew(second)).status).toBe(200);
  });

  test('two tabs at once are not signed out', async () => {
    const first = await session();
    const answers = await Promise.all([renew(first), renew(first), renew(first)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const given = answers.map(cookieOf).filter((cookie) => cookie !== undefined);
    expect(given).toHaveLength(1);
    expect((await renew(given[0] ?? '')).status).toBe(200);
  });

  test('ends when a secret comes back after its moment', async () => {
    const first = await session();
    const second = cookieOf(await renew(first)) ?? '';
    await sql`update sessions set rotated_at = now() - interval '31 seconds'`.execute(db());
    expectFailure(await renew(first), 401, 'invalid_token');
    expectFailure(await renew(second), 401, 'invalid_token');
  });

  test('ends when a secret comes back that was replaced twice, whatever the time', async () => {
    const first = await session();
    const second = cookieOf(await renew(first)) ?? '';
    const third = cookieOf(await renew(second)) ?? '';
    expectFailure(await renew(first), 401, 'invalid_token');
    expectFailure(await renew(third), 401, 'invalid_token');
  });

  test('a secret that nobody issued ends nothing', async () => {
    const first = await session();
    const [sessionId] = first.split('.');
    for (const forged of ['', 'x', `${sessionId}.abc.def`, `${first}x`, 'x'.repeat(5000)]) {
      expectFailure(await renew(forged), 401, 'invalid_token');
    }
    expect((await renew(first)).status).toBe(200);
  });

  test('ends by signing out, with the tokens made from it', async () => {
    const first = await session();
    const renewed = await renew(first);
    const cookie = cookieOf(renewed) ?? '';
    const out = await world.ask('DELETE', '/app/session', { headers: { cookie: `earshot_session=${cookie}` } });
    expect(out.body).toEqual({ signedOut: true });
    expectFailure(await renew(cookie), 401, 'invalid_token');
    expectFailure(await world.get('/v1/me', renewed.body.token), 401, 'invalid_token');
  });
});

describe('the first workspace', () => {
  test('is made once, with a link that works once', async () => {
    const own = await createWorld();
    try {
      await sql`delete from memberships`.execute(own.database.em().getKysely());
      await sql`delete from workspaces`.execute(own.database.em().getKysely());
      const deps = { database: own.database, vault: own.services.vault, publicUrl: 'http://x', firstAdmin: null };
      const [first, twin] = await Promise.all([ensureFirstWorkspace(deps), ensureFirstWorkspace(deps)]);
      const made = first.key === null ? twin : first;
      expect([first.workspaceId, [first.key, twin.key].filter(Boolean).length]).toEqual([twin.workspaceId, 1]);
      expect((await own.get('/v1/me', made.key ?? '')).body).toMatchObject({ scope: 'write', monthlyBudgetUsd: 50 });
      const swap = () => own.ask('POST', '/app/session', { headers: { cookie: `earshot_session=${made.session}` } });
      for (let times = 0; times < 3; times += 1) {
        const answer = await swap();
        expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined]);
      }

      const later = await ensureFirstWorkspace(deps);
      expect([later.key, later.session]).toEqual([null, null]);
      const body = { email: 'ann@example.com', password: PASSWORD };
      const use = (link: string | null, set: object = body) =>
        own.ask('POST', '/app/links/use', { body: { secret: secretOf(link ?? ''), ...set } });
      expectFailure(await use(made.signInLink), 404, 'link_not_found');
      expectFailure(await use(later.signInLink, { password: 'short' }), 400, 'invalid_parameter', 'password');
      // Somebody came in by the provider, or by what the environment says, with the printed link unused.
      const cameIn = (how: 'now()' | 'null') =>
        sql`update people set proved_at = ${sql.raw(how)} where id = ${made.personId}`.execute(
          own.database.em().getKysely(),
        );
      await cameIn('now()');
      expectFailure(await use(later.signInLink), 404, 'link_not_found');
      await cameIn('null');
      expect((await use(later.signInLink)).body.person.email).toBe('ann@example.com');
      expectFailure(await use(later.signInLink), 404, 'link_not_found');
      expect((await ensureFirstWorkspace(deps)).signInLink).toBeNull();
      expect((await own.ask('POST', '/app/sign-in', { body })).status).toBe(200);
    } finally {
      await own.close();
    }
  });
});

describe('keys', () => {
  test('are shown once, and then by their first ten characters', async () => {
    const token = await world.token();
    const made = await world.ask('POST', '/app/keys', { as: token, body: { name: 'CI', access: 'write' } });
    expect(made.body).toMatchObject({
      object: 'api_key',
      name: 'CI',
      access: 'write',
      monthlyBudgetUsd: 50,
      agentId: null,
    });
    expect(made.body.key).toMatch(/^svc_[A-Za-z0-9_-]{32}$/);
    const list = await world.ask('GET', '/app/keys', { as: token });
    expect(list.text).not.toContain(made.body.key);
    expect(list.body.data.find((key: { id: string }) => key.id === made.body.id)).toMatchObject({
      prefix: made.body.key.slice(0, 10),
      lastUsedAt: null,
      spentThisMonthUsd: 0,
    });
    const { rows } = await sql<{ row: string }>`select to_jsonb(k)::text as row from api_keys k`.execute(db());
    expect(rows.map((each) => each.row).join()).not.toContain(made.body.key.slice(10));
  });

  test('note their last use', async () => {
    const token = await world.token();
    const made = await world.ask('POST', '/app/keys', { as: token, body: { name: 'used', access: 'read' } });
    await world.get('/v1/me', made.body.key);
    await world.get('/v1/me', made.body.key);
    await expect
      .poll(async () => {
        const list = await world.ask('GET', '/app/keys', { as: token });
        return list.body.data.find((key: { id: string }) => key.id === made.body.id).lastUsedAt;
      })
      .toMatch(/Z$/);
  });

  test('with write access are an admin’s; a member makes and revokes read keys', async () => {
    const member = await world.token(await world.makeMember('member'));
    const admin = await world.token();
    const write = await world.ask('POST', '/app/keys', { as: admin, body: { name: 'w', access: 'write' } });
    expectFailure(
      await world.ask('POST', '/app/keys', { as: member, body: { name: 'w', access: 'write' } }),
      403,
      'admin_only',
    );
    expectFailure(await world.ask('DELETE', `/app/keys/${write.body.id}`, { as: member }), 403, 'admin_only');
    const read = await world.ask('POST', '/app/keys', { as: member, body: { name: 'r', access: 'read' } });
    expect((await world.ask('DELETE', `/app/keys/${read.body.id}`, { as: member })).status).toBe(200);
    expectFailure(await world.ask('DELETE', `/app/keys/${read.body.id}`, { as: member }), 404, 'key_not_found');
  });

  test('of another workspace cannot be revoked or seen', async () => {
    const foreign = await world.makeWorkspace();
    const theirs = await world.token(foreign);
    const made = await world.ask('POST', '/app/keys', { as: theirs, body: { name: 'x', access: 'read' } });
    const token = await world.token();
    expectFailure(await world.ask('DELETE', `/app/keys/${made.body.id}`, { as: token }), 404, 'key_not_found');
    expect((await world.ask('GET', '/app/keys', { as: token })).text).not.toContain(made.body.id);
    const agentId = await world.makeAgent({ workspaceId: foreign.workspaceId });
    const body = { name: 'x', access: 'read', agentId };
    expectFailure(await world.ask('POST', '/app/keys', { as: token, body }), 404, 'agent_not_found', 'agentId');
  });

  test('take any budget from nothing to 100000, and 50 where none is said', async () => {
    const as = await world.token();
    const make = (body: Record<string, unknown>) =>
      world.ask('POST', '/app/keys', { as, body: { name: 'x'.repeat(100), access: 'write', ...body } });
    for (const [given, kept] of [
      [{ monthlyBudgetUsd: 0 }, 0],
      [{ monthlyBudgetUsd: 100_000 }, 100_000],
      [{ monthlyBudgetUsd: null }, 50],
      [{}, 50],
      [{ access: 'read' }, null],
      [{ access: 'read', monthlyBudgetUsd: null }, null],
    ] as const) {
      expect((await make(given)).body.monthlyBudgetUsd).toBe(kept);
    }
  });

  test('can be tied to any agent that the workspace can read, the shared demo agent too', async () => {
    const agentId = await world.makeAgent({ readOnly: true });
    const body = { name: 'demo', access: 'read', agentId: agentId.toUpperCase() };
    const made = await world.ask('POST', '/app/keys', { as: await world.token(), body });
    expect(made.body.agentId).toBe(agentId);
    const agents = await world.get('/v1/agents', made.body.key);
    expect(agents.body.data.map((agent: { id: string }) => agent.id)).toEqual([agentId]);
    expectFailure(await world.get(`/v1/agents/${world.agentId}`, made.body.key), 404, 'agent_not_found');
  });

  test('are listed with these fields and no other', async () => {
    const list = await world.ask('GET', '/app/keys', { as: await world.token() });
    const fields = ['object', 'id', 'name', 'prefix', 'access', 'agentId', 'monthlyBudgetUsd'];
    const more = ['spentThisMonthUsd', 'lastUsedAt', 'createdAt', 'createdBy'];
    for (const key of list.body.data) expect(Object.keys(key).sort()).toEqual([...fields, ...more].sort());
  });

  test.each([
    [{ access: 'read' }, 'name'],
    [{ name: '', access: 'read' }, 'name'],
    [{ name: 'x'.repeat(101), access: 'read' }, 'name'],
    [{ name: 'a\u0000b', access: 'read' }, 'name'],
    [{ name: 'a\ud800', access: 'read' }, 'name'],
    [{ name: 'a\u202eb', access: 'read' }, 'name'],
    [{ name: 1, access: 'read' }, 'name'],
    [{ name: 'x', access: 'admin' }, 'access'],
    [{ name: 'x', access: 'read', monthlyBudgetUsd: 5 }, 'monthlyBudgetUsd'],
    [{ name: 'x', access: 'write', monthlyBudgetUsd: -1 }, 'monthlyBudgetUsd'],
    [{ name: 'x', access: 'write', monthlyBudgetUsd: 100_001 }, 'monthlyBudgetUsd'],
    [{ name: 'x', access: 'write', agentId: 'y' }, 'agentId'],
    [{ access: 'write', colour: 1 }, 'colour'],
  ])('%j is refused and %s is named', async (body, param) => {
    const answer = await world.ask('POST', '/app/keys', { as: await world.token(), body });
    expectFailure(answer, 400, 'invalid_parameter', param);
  });
});

test('the log of a request names who asked and from where, by ids', async () => {
  const lineOf = () => JSON.parse(world.logged.at(-1) ?? '{}');
  await world.ask('GET', '/v1/me', { as: world.readKey, from: '203.0.113.9' });
  expect(lineOf()).toMatchObject({
    address: '203.0.113.9',
    workspaceId: world.workspaceId,
    keyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  await world.ask('GET', '/app/me', { as: await world.token() });
  expect(lineOf()).toMatchObject({ workspaceId: world.workspaceId, personId: world.personId });
  await world.ask('GET', '/v1/me', { as: 'svc_nobody', from: '203.0.113.9' });
  expect(lineOf()).toMatchObject({ status: 401, address: '203.0.113.9' });
  expect(lineOf()).not.toHaveProperty('workspaceId');
});

test('no secret is ever logged', async () => {
  const token = await world.token();
  const made = await world.ask('POST', '/app/keys', { as: token, body: { name: 'logged?', access: 'read' } });
  await world.get('/v1/me', made.body.key);
  await world.get(`/v1/agents?cursor=${made.body.key}`, made.body.key);
  await world.ask('POST', '/app/links/use', { body: { secret: made.body.key, password: PASSWORD } });
  const log = world.logged.join('\n');
  expect(log).toContain('answered');
  for (const secret of [made.body.key, token, PASSWORD, world.readKey]) expect(log).not.toContain(secret);
});
