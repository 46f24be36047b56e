import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freePort } from '../../packages/embedded/ports.ts';
import { readConfig } from '../../src/config.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createWorld, type World } from '../support/world.ts';

const ENTRY = fileURLToPath(new URL('../../api/server.ts', import.meta.url));
const SECRET = 'a secret of the tests, 32 characters or more';
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

async function start(
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; said: string; errors(): string }> {
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      ...bareEnvironment(),
      DATABASE_URL: world.database.url,
      EARSHOT_SECRET: SECRET,
      EARSHOT_PORT: String(await freePort()),
      TEMPORAL_ADDRESS: inject('temporalAddress') ?? '127.0.0.1:1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const said = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('close', () => resolve(''));
  });
  return { child, said, errors: () => errors };
}

test('says one line when it listens, answers, and ends tidily when asked', async () => {
  const { child, said } = await start();
  const ready = JSON.parse(said);
  expect(ready).toEqual({ ready: true, port: expect.any(Number) });
  const url = `http://127.0.0.1:${ready.port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const workz = async () => {
    const answer = await fetch(`${url}/workz`);
    return { status: answer.status, body: await answer.json() };
  };
  // On a busy machine the database may answer the first probe late.
  await expect.poll(workz, { timeout: 60_000 }).toMatchObject({
    status: 503,
    body: { ready: false, database: { ok: true }, workers: { seen: 0 } },
  });
  // Without Temporal and workers it serves all the same.
  const readyz = await fetch(`${url}/readyz`);
  expect([readyz.status, await readyz.json()]).toMatchObject([200, { ready: true, database: { ok: true } }]);
  const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${world.readKey}` } });
  expect(me.status).toBe(200);
  const systemAs = async (token: string) =>
    (await fetch(`${url}/app/system`, { headers: { authorization: `Bearer ${token}` } })).json();
  expect(await systemAs(await world.token())).toMatchObject({ apis: [{ pid: child.pid, host: hostname() }] });
  const member = await world.token(await world.makeMember('member'));
  expect(await systemAs(member)).toMatchObject({ apis: [{ pid: null, host: null }], orders: null });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the person of the configuration can sign in to an empty database, however many processes start on it', async () => {
  const own = await createWorld();
  try {
    await sql`delete from memberships`.execute(own.database.em().getKysely());
    await sql`delete from workspaces`.execute(own.database.em().getKysely());
    const [email, password] = ['Ops@example.com', 'a long enough password'];
    const env = { DATABASE_URL: own.database.url, EARSHOT_ADMIN_EMAIL: email, EARSHOT_ADMIN_PASSWORD: password };
    const processes = await Promise.all([start(env), start(env)]);
    const signIn = (body: object) => own.ask('POST', '/app/sign-in', { body });
    const { status, body } = await signIn({ email, password });
    expect(status).toBe(200);
    expect((await own.get('/app/members', body.token)).body.data).toMatchObject([{ role: 'admin' }]);
    expect((await own.get('/app/keys', body.token)).body.data).toEqual([]);
    for (const { child } of processes) child.kill('SIGTERM');
    await Promise.all(processes.map(({ child }) => once(child, 'exit')));

    // Who was let in once is not let in by another password of the configuration.
    const later = await start({ ...env, EARSHOT_ADMIN_PASSWORD: 'another password' });
    expect((await signIn({ email, password: 'another password' })).status).toBe(401);
    later.child.kill('SIGTERM');
    await once(later.child, 'exit');
  } finally {
    await own.close();
  }
});

test('asked to end, it says so to balancers and goes on answering until its time is over, or it is asked again', async () => {
  const { child, said } = await start({ EARSHOT_DRAIN_SECONDS: '300' });
  const url = `http://127.0.0.1:${JSON.parse(said).port}`;
  child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 60_000 }).toBe(503);
  const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${world.readKey}` } });
  expect(me.status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['EARSHOT_DATABASE_CONNECTIONS', '1', 'must be a whole number from 2 to 200'],
  ['EARSHOT_ANALYSIS_SLOTS', 'many', 'must be a whole number from 1 to 100'],
  ['EARSHOT_CACHED_WORKFLOWS', '2.5', 'must be a whole number from 10 to 10000'],
  ['EARSHOT_DRAIN_SECONDS', '-1', 'must be a whole number from 0 to 300'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'must be from 0 to 1'],
])('%s of %s is refused in a sentence', (name, value, sentence) => {
  const env = { DATABASE_URL: 'postgres://earshot@db/earshot', EARSHOT_SECRET: SECRET };
  expect(() => readConfig({ ...env, [name]: value })).toThrow(`${name}: ${sentence}`);
  expect(readConfig({ ...env, [name]: '' })).toEqual(readConfig(env));
});

test('nothing is traced unless a collector is named', () => {
  const env = { DATABASE_URL: 'postgres://earshot@db/earshot', EARSHOT_SECRET: SECRET };
  expect(readConfig(env).traces).toBeNull();
  const named = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  expect(readConfig(named).traces).toEqual({ share: 0.1, delayMs: 5_000 });
  expect(readConfig({ ...named, OTEL_SDK_DISABLED: 'true' }).traces).toBeNull();
});

test('ends when the process that started it is gone', async () => {
  const { child } = await start();
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['a secret that is too short', { EARSHOT_SECRET: 'short' }, /EARSHOT_SECRET/],
  ['no database', { DATABASE_URL: 'postgres://earshot@127.0.0.1:1/x' }, /database does not answer/],
])('refuses to start with %s, in a sentence', async (_name, env, sentence) => {
  const { child, said, errors } = await start(env);
  expect(said).toBe('');
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(1);
  expect(errors().trim().split('\n').at(-1)).toMatch(sentence);
});

test('refuses a taken port, in a sentence', async () => {
  const first = await start();
  const { port } = JSON.parse(first.said);
  const second = await start({ EARSHOT_PORT: String(port) });
  expect(second.errors()).toContain('The port is taken');
  first.child.kill('SIGTERM');
  await once(first.child, 'exit');
});

/** A reverse proxy that serves one path of a host, as an ingress does. @param strips whether it passes requests on without that path. */
async function proxyTo(port: () => number, path: string, strips: boolean) {
  const proxy = createServer((request, response) => {
    const url = request.url ?? '/';
    if (url !== path && !url.startsWith(`${path}/`)) return void response.writeHead(404).end('another app');
    const passed = ask(
      {
        host: '127.0.0.1',
        port: port(),
        method: request.method,
        headers: request.headers,
        path: strips ? url.slice(path.length) || '/' : url,
      },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}

test.each([
  ['passes on', false],
  ['strips', true],
])('works below a path that a proxy %s: pages, cookies, links, API, MCP, OTLP', async (_what, strips) => {
  let port = 0;
  const proxy = await proxyTo(() => port, '/tools/earshot', strips);
  const url = `${proxy.origin}/tools/earshot`;
  const [EARSHOT_ADMIN_EMAIL, EARSHOT_ADMIN_PASSWORD] = ['below@example.com', 'a password of the tests'];
  const { child, said } = await start({ EARSHOT_PUBLIC_URL: url, EARSHOT_ADMIN_EMAIL, EARSHOT_ADMIN_PASSWORD });
  try {
    ({ port } = JSON.parse(said));
    const frame = await (await fetch(`${url}/reference`)).text();
    const named = [...frame.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(named).toContain('/tools/earshot/reference/frame.css');
    for (const address of named) expect(address).toMatch(/^\/tools\/earshot\//);
    // The icon is the app's, which is built only where somebody opens it.
    for (const address of named.filter((each) => each.includes('/reference/'))) {
      expect([address, (await fetch(new URL(address, url))).status]).toEqual([address, 200]);
    }
    const page = await fetch(`${url}/a/any/issues`);
    const scripts = [...(await page.text()).matchAll(/src="([^"]+)"/g)].map(([, address = '']) => address);
    for (const address of scripts) expect(address).toMatch(/^\/tools\/earshot\//);
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: EARSHOT_ADMIN_EMAIL, password: EARSHOT_ADMIN_PASSWORD });
    const signedIn = await fetch(`${url}/app/sign-in`, { method: 'POST', headers: json, body });
    expect(signedIn.status).toBe(200);
    const cookies = signedIn.headers.getSetCookie();
    expect(cookies.every((cookie) => /; Path=\/tools\/earshot\/app\//.test(cookie))).toBe(true);
    const cookie = cookies.map((one) => one.split(';')[0]).join('; ');
    const renewed = await fetch(`${url}/app/session`, { method: 'POST', headers: { cookie } });
    const { token } = (await renewed.json()) as { token: string };
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/v1/agents`, { headers })).status).toBe(200);
    expect(await (await fetch(`${url}/v1/openapi.json`, { headers })).json()).toMatchObject({ servers: [{ url }] });
    for (const path of ['mcp', 'otlp/v1/traces', 'ingest/calls']) {
      expect((await fetch(`${url}/${path}`, { method: 'POST', headers: json, body: '{}' })).status).toBe(401);
    }
    const invited = await fetch(`${url}/app/members`, {
      method: 'POST',
      headers: { ...headers, ...json },
      body: JSON.stringify({ email: `guest-${strips}@example.com`, name: 'A guest', role: 'member' }),
    });
    expect(JSON.stringify(await invited.json())).toContain(`${url}/links#`);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
    proxy.close();
  }
});
