import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { sweepAccess, sweepBuckets } from '../../src/operations/access/sweep.ts';
import { createServices } from '../../src/operations/create-services.ts';
import { defineOperation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import { createWorld, expectFailure, forgetBuckets, type World } from '../support/world.ts';

const answer = z.strictObject({ done: z.literal(true) });
const described = { tag: 'Tests', summary: 'x', description: 'x', surface: 'v1', response: answer } as const;
const done = async () => ({ done: true as const });
const writeThing = defineOperation({
  ...described,
  id: 'writeThing',
  method: 'POST',
  path: '/v1/agents/{agentId}/things',
  scope: 'write',
  run: done,
});
const askModel = defineOperation({
  ...described,
  id: 'askModel',
  method: 'POST',
  path: '/v1/agents/{agentId}/thoughts',
  scope: 'write',
  ai: true,
  run: done,
});
const validateThing = defineOperation({
  ...described,
  id: 'validateThing',
  method: 'POST',
  path: '/v1/agents/{agentId}/things/validate',
  scope: 'read',
  run: done,
});

let world: World;
beforeAll(async () => {
  world = await createWorld({ limited: true, operations: [...OPERATIONS, writeThing, askModel, validateThing] });
});
beforeEach(() => forgetBuckets(world.database));
afterAll(() => world.close());

const limitsOf = ({ headers }: { headers: Record<string, string> }) => [
  Number(headers['ratelimit-limit']),
  Number(headers['ratelimit-remaining']),
  Number(headers['ratelimit-reset']),
];
const things = () => `/v1/agents/${world.agentId}/things`;
/** Moves every bucket on in time, as if the clock had. */
const letPass = (seconds: number, { database } = world) =>
  sql`update buckets set full_at = full_at - ${`${seconds} seconds`}::interval`.execute(database.em().getKysely());
/** Takes back what came back to the buckets since then, so that a slow machine sees what a fast one does. */
const takeBackSince = (startMs: number, of = world) => letPass((startMs - Date.now()) / 1000, of);
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('what answers show', () => {
  test('a read shows the bucket of all requests, a write the tighter one of writes', async () => {
    const write = () => world.ask('POST', things(), { as: world.writeKey });
    expect(limitsOf(await world.get('/v1/me'))).toEqual([120, 119, 1]);
    // One of them comes back each half second, and one write each three seconds.
    expect([118, 119]).toContain(limitsOf(await world.get('/v1/me'))[1]);
    expect(limitsOf(await write())).toEqual([20, 19, 1]);
    expect(limitsOf(await write())).toEqual([20, 18, 2]);
  });

  test('every answer under /v1 shows a bucket, whatever went wrong', async () => {
    const asked = [
      world.get('/v1/nothing'),
      world.get('/v1/agents/%zz'),
      world.get('/v1/agents/nonsense'),
      world.get(`/v1/agents/${world.workspaceId}`),
      world.get('/v1/agents?limit=0'),
      world.get('/v1/agents?cursor=%zz'),
      world.ask('POST', things(), { as: world.readKey }),
      world.ask('POST', things(), { as: world.writeKey, payload: 'x' }),
      world.ask('HEAD', '/v1/me', { as: world.readKey }),
      world.ask('OPTIONS', '/v1/me', { as: world.readKey }),
      world.ask('GET', '/v1/me'),
      world.ask('GET', '/v1/nothing'),
      world.ask('GET', '/v1/agents/%zz'),
    ];
    for (const each of await Promise.all(asked)) {
      expect({ status: each.status, limits: limitsOf(each).every(Number.isInteger) }).toEqual({
        status: each.status,
        limits: true,
      });
      expect(each.headers['retry-after']).toBeUndefined();
    }
  });

  test('a refused authentication shows the bucket of the address', async () => {
    expect(limitsOf(await world.ask('GET', '/v1/me', { from: '10.0.0.1' }))).toEqual([30, 29, 2]);
    expect(limitsOf(await world.ask('GET', '/v1/me', { from: '::ffff:10.0.0.1' }))).toEqual([30, 28, 4]);
    expect(limitsOf(await world.ask('GET', '/v1/me', { from: '10.0.0.2' }))).toEqual([30, 29, 2]);
  });
});

describe('what draws', () => {
  test('a burst of 120 is let in, the next is refused with a true time to wait, and draws nothing', async () => {
    const burst = await Promise.all(times(120).map(() => world.get('/v1/me')));
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200]));
    let refused = await world.get('/v1/me');
    // A burst takes longer than one token needs to come back.
    while (refused.status === 200) refused = await world.get('/v1/me');
    expectFailure(refused, 429, 'rate_limited');
    expect(refused.headers['retry-after']).toBe('1');
    expect(limitsOf(refused).slice(0, 2)).toEqual([120, 0]);
    await letPass(Number(refused.headers['retry-after']));
    for (const _ of times(9)) expect((await world.get('/v1/me')).status).toBe(200);
  });

  test('writes draw by operation, whatever comes of them; validating does not', async () => {
    const start = Date.now();
    for (const _ of times(20)) expect((await world.ask('POST', things(), { as: world.readKey })).status).toBe(403);
    await takeBackSince(start);
    const refused = await world.ask('POST', things(), { as: world.readKey });
    expectFailure(refused, 429, 'rate_limited');
    expect(limitsOf(refused).slice(0, 2)).toEqual([20, 0]);
    expect((await world.ask('POST', `${things()}/validate`, { as: world.readKey })).status).toBe(200);
    expect(limitsOf(await world.get('/v1/me'))[0]).toBe(120);
    await letPass(Number(refused.headers['retry-after']));
    expect((await world.ask('POST', things(), { as: world.readKey })).status).toBe(403);
    // The wait is said in whole seconds and requests take time, so that one more may have come back; no third has.
    const next = await Promise.all(times(3).map(() => world.ask('POST', things(), { as: world.readKey })));
    expect(next.map(({ status }) => status)).toContain(429);
  });

  test('a refusal by one bucket draws from no other', async () => {
    for (const _ of times(20)) await world.ask('POST', things(), { as: world.readKey });
    for (const _ of times(30)) await world.ask('POST', things(), { as: world.readKey });
    // 21 draws, and some came back meanwhile.
    expect(limitsOf(await world.get('/v1/me'))[1]).toBeGreaterThanOrEqual(99);
  });

  test('AI-backed routes share ten a minute in the workspace; the headers still show the key', async () => {
    const other = await world.makeKey({ access: 'write' });
    const ask = (as: string) => world.ask('POST', `/v1/agents/${world.agentId}/thoughts`, { as });
    for (const index of times(10)) expect((await ask(index % 2 ? other : world.writeKey)).status).toBe(200);
    const refused = await ask(other);
    expectFailure(refused, 429, 'rate_limited');
    expect(limitsOf(refused)[0]).toBe(20);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3);
    expect((await world.ask('POST', things(), { as: other })).status).toBe(200);
  });

  test('all keys and people of a workspace share one bucket, other workspaces do not', async () => {
    const keys = await Promise.all(times(6).map(() => world.makeKey()));
    const statuses = await Promise.all(
      times(720).map((index) => world.get('/v1/me', keys[index % 6]).then(({ status }) => status)),
    );
    expect(statuses).toContain(429);
    const foreign = await world.makeWorkspace();
    expect((await world.get('/v1/me', await world.makeKey({ workspaceId: foreign.workspaceId }))).status).toBe(200);
  });

  test('people have buckets of their own, and changes in the app draw as writes', async () => {
    const token = await world.token();
    const again = await world.token();
    expect(limitsOf(await world.ask('GET', '/app/keys', { as: token }))).toEqual([120, 119, 1]);
    const rename = (as: string) => world.ask('PATCH', `/app/agents/${world.agentId}`, { as, body: { name: 'x' } });
    const start = Date.now();
    for (const index of times(20)) expect((await rename(index % 2 ? token : again)).status).toBe(200);
    await takeBackSince(start);
    expectFailure(await rename(token), 429, 'rate_limited');
    expect((await world.get('/v1/me')).status).toBe(200);
    expect((await world.ask('GET', '/app/keys', { as: token })).status).toBe(200);
  });
});

describe('failed authentication', () => {
  test('thirty failures answer 401; then the address is refused, with a valid key too, until they age out', async () => {
    const from = '10.1.0.1';
    const bad = () => world.ask('GET', '/v1/me', { from, as: 'svc_abcdefghijklmnopqrstuvwxyz012345' });
    const start = Date.now();
    for (const _ of times(30)) expect((await bad()).status).toBe(401);
    await takeBackSince(start);
    const refused = await bad();
    expectFailure(refused, 429, 'too_many_failed_authentications');
    expect(limitsOf(refused).slice(0, 2)).toEqual([30, 0]);
    expectFailure(
      await world.ask('GET', '/v1/me', { from, as: world.readKey }),
      429,
      'too_many_failed_authentications',
    );
    expect((await world.get('/v1/me')).status).toBe(200);
    await letPass(Number(refused.headers['retry-after']));
    expect((await world.ask('GET', '/v1/me', { from, as: world.readKey })).status).toBe(200);
  });

  test('attempts at the same moment are counted one by one', async () => {
    const statuses = await Promise.all(
      times(80).map(() => world.ask('GET', '/v1/me', { from: '10.1.0.2' }).then(({ status }) => status)),
    );
    const let401 = statuses.filter((status) => status === 401).length;
    expect(let401).toBeGreaterThanOrEqual(30);
    expect(let401).toBeLessThanOrEqual(31);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('a wrong password counts, and so does a session that is none', async () => {
    const from = '10.1.0.3';
    const start = Date.now();
    for (const _ of times(3)) {
      const answer = await world.ask('POST', '/app/sign-in', { from, body: { email: 'a@example.com', password: 'x' } });
      expectFailure(answer, 401, 'invalid_credentials');
    }
    for (const _ of times(28)) await world.ask('POST', '/app/session', { from });
    await takeBackSince(start);
    expectFailure(await world.ask('POST', '/app/session', { from }), 429, 'too_many_failed_authentications');
    const signIn = await world.ask('POST', '/app/sign-in', { from, body: { email: 'a@example.com', password: 'x' } });
    expectFailure(signIn, 429, 'too_many_failed_authentications');
    expect(Number(signIn.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a session token that ran out within the day is refused without counting; an older one counts', async () => {
    let now = new Date('2026-11-01T12:00:00Z');
    const clocked = await createWorld({ limited: true, now: () => now });
    try {
      const token = await clocked.token();
      const asked = () => clocked.ask('GET', '/v1/me', { as: token, from: '10.1.0.4' });
      expect((await asked()).status).toBe(200);
      now = new Date('2026-11-02T11:00:00Z');
      const tired = await asked();
      expectFailure(tired, 401, 'invalid_token');
      expect(limitsOf(tired)).toEqual([30, 30, 0]);
      now = new Date('2026-11-02T13:00:00Z');
      expect(limitsOf(await asked())).toEqual([30, 29, 2]);
    } finally {
      await clocked.close();
    }
  });
});

describe('an address', () => {
  const bad = (from: string, headers = {}) => world.ask('GET', '/v1/me', { from, headers });

  test('of IPv6 is its /64: whoever has one has them all', async () => {
    const start = Date.now();
    for (const at of times(31)) await bad(`2001:db8:1:2::${at.toString(16)}`);
    await takeBackSince(start);
    expectFailure(await bad('2001:db8:1:2:ffff::1'), 429, 'too_many_failed_authentications');
    expect((await bad('2001:db8:1:3::1')).status).toBe(401);
  });

  test('is not what a stranger says that it is', async () => {
    const start = Date.now();
    for (const at of times(31)) await bad('10.3.0.1', { 'x-forwarded-for': `10.9.0.${at}` });
    await takeBackSince(start);
    expectFailure(await bad('10.3.0.1'), 429, 'too_many_failed_authentications');
  });

  test("is the client's behind a proxy of a trusted network, whatever the client says before it", async () => {
    const behind = await createWorld({ limited: true, trustedProxies: ['10.4.0.0/16'] });
    try {
      const ask = (client: string, as?: string) =>
        behind.ask('GET', '/v1/me', {
          from: '10.4.0.9',
          headers: { 'x-forwarded-for': client },
          ...(as ? { as } : {}),
        });
      const start = Date.now();
      for (const at of times(31)) await ask(`192.0.2.${at}, 198.51.100.7`);
      await takeBackSince(start, behind);
      expectFailure(await ask('198.51.100.7', behind.readKey), 429, 'too_many_failed_authentications');
      expect((await ask('198.51.100.8', behind.readKey)).status).toBe(200);
    } finally {
      await behind.close();
    }
  });

  test('has requests of its own where nobody says who they are, drawn before any work', async () => {
    const from = '10.5.0.1';
    const ask = async () => (await world.ask('GET', '/app/sign-in-methods', { from })).status;
    const start = Date.now();
    const statuses = new Set<number>();
    for (const _ of times(140)) statuses.add(await ask());
    await takeBackSince(start);
    statuses.add(await ask());
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await world.ask('GET', '/app/sign-in-methods', { from: '10.5.0.2' })).status).toBe(200);
  });
});

test('tools draw from their address too, whoever asks from there', async () => {
  const foreign = await world.makeWorkspace();
  const keys = [world.readKey, await world.makeKey({ workspaceId: foreign.workspaceId })];
  const send = (as: string | undefined, from: string) =>
    world.ask('POST', '/mcp', { ...(as ? { as } : {}), from, body: {}, headers: { host: 'localhost' } });
  const start = Date.now();
  for (const index of times(160)) await send(keys[index % 2], '10.2.0.1');
  await takeBackSince(start);
  expect((await send(keys[0], '10.2.0.1')).status).toBe(429);
  expect((await send(keys[0], '10.2.0.2')).status).not.toBe(429);
  expect((await world.get('/v1/me')).status).toBe(200);
  const failing = Date.now();
  for (const _ of times(31)) await send(undefined, '10.2.0.3');
  await takeBackSince(failing);
  expectFailure(
    await world.ask('GET', '/v1/me', { from: '10.2.0.3', as: world.readKey }),
    429,
    'too_many_failed_authentications',
  );
});

test('sweeping drops full buckets and answers of yesterday, and changes no limit', async () => {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(world.database.em().getKysely());
  await world.get('/v1/me');
  // More than are deleted at once.
  await run(sql`
    insert into buckets (name, full_at)
    select 'requests:old ' || n, now() - interval '2 minutes' from generate_series(1, 25000) n`);
  await run(sql`
    insert into idempotency_records (caller, operation, key, args_digest, token, created_at)
    values ('key:x', 'x', 'old', '', gen_random_uuid(), now() - interval '25 hours'),
      ('key:x', 'x', 'new', '', gen_random_uuid(), now())
  `);
  await sweepAccess(world.database);
  await sweepBuckets(world.database);
  const { rows: buckets } = await run(sql`select name from buckets`);
  expect(buckets.length).toBeGreaterThan(0);
  expect(buckets).not.toContainEqual({ name: expect.stringMatching(/^requests:old/) });
  expect((await run(sql`select key from idempotency_records where caller = 'key:x'`)).rows).toEqual([{ key: 'new' }]);
});

describe('several processes', () => {
  let second: FastifyInstance;
  let secondDatabase: Database;
  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    secondDatabase = await openDatabase({
      url: world.database.url,
      poolMax: 4,
      applicationName: 'earshot-test-second',
      statementTimeoutMs: 0,
      onIdleError: () => {},
    });
    const config = readConfig({
      DATABASE_URL: world.database.url,
      EARSHOT_SECRET: 'a secret of the tests, 32 characters or more',
    });
    const ready = { ok: true, message: '' };
    second = await buildApp({
      services: createServices({ config, database: secondDatabase, log }),
      health: {
        database: async () => ready,
        readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
        accepting: () => true,
      },
    });
  });
  afterAll(async () => {
    await second.close();
    await secondDatabase.close();
  });

  test('two processes over eight connections admit the burst and the refill, and never one more', async () => {
    const headers = { authorization: `Bearer ${world.readKey}` };
    const seconds = 3;
    let admitted = 0;
    const clock = async () => {
      const { rows } = await sql<{
        ms: number;
      }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(world.database.em().getKysely());
      return Number(rows[0]?.ms);
    };
    const start = await clock();
    let firstAnsweredMs = Infinity;
    let lastRefusedMs = 0;
    const until = Date.now() + seconds * 1000;
    await Promise.all(
      times(16).map(async (index) => {
        while (Date.now() < until || lastRefusedMs === 0) {
          const app = index % 2 ? second : world.app;
          const sentMs = Date.now();
          const { statusCode } = await app.inject({ method: 'GET', url: '/v1/me', headers });
          firstAnsweredMs = Math.min(firstAnsweredMs, Date.now());
          if (statusCode === 200) admitted += 1;
          else lastRefusedMs = Math.max(lastRefusedMs, sentMs);
        }
      }),
    );
    const elapsed = (await clock()) - start;
    // Never one more than the burst and the refill; and whoever is refused finds less than one left, so that all which
    // came back since the first draw has been given out by then.
    expect(admitted).toBeLessThanOrEqual(120 + (elapsed / 1000) * 10 + 1);
    expect(admitted).toBeGreaterThanOrEqual(120 + ((lastRefusedMs - firstAnsweredMs) / 1000) * 10 - 1);
  });

  test('a key revoked by one process is refused by the other on the next request', async () => {
    const token = await world.token();
    const made = await world.ask('POST', '/app/keys', { as: token, body: { name: 'x', access: 'read' } });
    const headers = { authorization: `Bearer ${made.body.key}` };
    expect((await second.inject({ method: 'GET', url: '/v1/me', headers })).statusCode).toBe(200);
    expect((await world.ask('DELETE', `/app/keys/${made.body.id}`, { as: token })).status).toBe(200);
    const after = await second.inject({ method: 'GET', url: '/v1/me', headers });
    expect([after.statusCode, after.json().error.code]).toEqual([401, 'invalid_api_key']);
  });
});
