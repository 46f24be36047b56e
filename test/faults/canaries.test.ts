import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { CLIENT, type IdentityServer, startIdentityServer } from '../support/identity-server.ts';
import { openNamespace, type TestTemporal, testBundle, untilTrue } from '../support/pipeline.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { retellCall, type StandInPlatform, startStandInPlatform } from '../support/stand-in-platform.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { createWorld, type Loose, type World } from '../support/world.ts';

const WORKER = fileURLToPath(new URL('../../activities/worker.ts', import.meta.url));
/** That of `createWorld` and `startApi`. */
const SECRET = 'a secret of the tests, 32 characters or more';
const METRICS_TOKEN = 'a token of the metrics, which has no meaning';
const address = inject('temporalAddress');
const mark = (what: string) => `${what}-${randomBytes(8).toString('hex')}`;

/** What nobody may ever find in plain, wherever it came in. */
const secrets: Record<string, string> = {
  platformKey: mark('platform-key'),
  password: mark('password'),
  wrongPassword: mark('wrong password'),
  nextPassword: mark('next password'),
  madeUpKey: `svc_${randomBytes(24).toString('base64url')}`,
  bearer: mark('bearer'),
  caller: `+1555${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`,
  header: mark('header'),
  oidc: CLIENT.secret,
  secret: SECRET,
};
/** What belongs into the record, and nowhere beside it. */
const personal = { words: mark('my card number is'), email: `${mark('person')}@example.com` };

describe.skipIf(address === null)('marked secrets and personal data', () => {
  let temporal: TestTemporal;
  let world: World;
  let api: ApiProcess;
  let platform: StandInPlatform;
  let identity: IdentityServer;
  /** Takes the traces of both processes. */
  let collector: Receiver;
  let worker: ChildProcess;
  let workerSaid = '';
  const folder = openTestFolder();
  /** Every answer but those that show a secret this once. */
  const answers: string[] = [];

  beforeAll(async () => {
    [temporal, world, platform, identity, collector] = await Promise.all([
      openNamespace(address ?? ''),
      createWorld(),
      startStandInPlatform(),
      startIdentityServer(),
      startReceiver(),
    ]);
    api = await startApi(world.database.url, {
      EARSHOT_LOG_LEVEL: 'trace',
      EARSHOT_METRICS_TOKEN: METRICS_TOKEN,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      EARSHOT_OIDC_ISSUER: identity.issuer,
      EARSHOT_OIDC_CLIENT_ID: CLIENT.id,
      EARSHOT_OIDC_CLIENT_SECRET: CLIENT.secret,
    });
    worker = spawn(process.execPath, [WORKER], {
      env: {
        ...bareEnvironment(),
        DATABASE_URL: world.database.url,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        EARSHOT_SECRET: SECRET,
        EARSHOT_DATA: folder.path,
        EARSHOT_LOG_LEVEL: 'trace',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
        EARSHOT_WORKFLOW_BUNDLE: await testBundle(),
        EARSHOT_NO_POLL: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const ready = new Promise<void>((resolve) => {
      if (worker.stdout) createInterface({ input: worker.stdout }).once('line', () => resolve());
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        workerSaid += chunk.toString();
      });
    }
    await ready;
  });
  afterAll(async () => {
    worker?.kill('SIGKILL');
    await api?.stop();
    await Promise.all([platform?.close(), identity?.close(), collector?.close()]);
    await world?.close();
    await temporal?.close();
    folder.remove();
  });

  interface Said {
    status: number;
    body: Loose;
    cookies: string[];
  }

  /** @param shows the answer holds a secret that it is there to show. */
  async function ask(
    method: string,
    path: string,
    options: { as?: string; body?: unknown; raw?: string; headers?: Record<string, string>; shows?: boolean } = {},
  ): Promise<Said> {
    const { as, body, raw, headers = {}, shows = false } = options;
    const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
    const answer = await fetch(`${api.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload,
    });
    const text = await answer.text();
    if (!shows) answers.push(`${JSON.stringify([...answer.headers])} ${text}`);
    const isJson = answer.headers.get('content-type')?.includes('json');
    return {
      status: answer.status,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      cookies: answer.headers.getSetCookie(),
    };
  }

  async function cameIn(): Promise<void> {
    const admin = await world.token();
    const add = await ask('POST', '/app/members', {
      as: admin,
      body: { email: personal.email, name: 'Somebody', role: 'admin', password: secrets['password'] },
    });
    expect(add.status).toBe(200);
    const signIn = (password: unknown) =>
      ask('POST', '/app/sign-in', {
        body: { email: personal.email, password },
        shows: password === secrets['password'],
      });
    const signedIn = await signIn(secrets['password']);
    expect(signedIn.status).toBe(200);
    const { token } = signedIn.body;
    secrets['token'] = token;
    for (const cookie of signedIn.cookies) secrets[cookie.split('=')[0] ?? ''] = cookie.split(/[=;]/)[1] ?? '';
    expect((await signIn(secrets['wrongPassword'])).status).toBe(401);
    await ask('POST', '/app/sign-in', { raw: `{"email": "${personal.email}", "password": "${secrets['password']}"` });
    await ask('POST', '/app/sign-in', { body: { email: personal.email, password: { is: secrets['password'] } } });
    await ask('POST', '/app/password', {
      as: token,
      body: { currentPassword: secrets['wrongPassword'], newPassword: secrets['nextPassword'] },
    });
    await ask('POST', '/app/session', { headers: { cookie: `earshot_session=${secrets['header']}` } });
    const invited = await ask('POST', '/app/members', {
      as: token,
      body: { email: `other-${personal.email}`, name: 'Other', role: 'member' },
      shows: true,
    });
    secrets['link'] = new URL(invited.body.link).hash.slice(1);
    const useLink = (secret: string, password: string | undefined, shows = false) =>
      ask('POST', '/app/links/use', { body: { secret, password }, shows });
    await useLink(secrets['link'], 'short');
    const [used, unused] = [secrets['link'], await linkFor(token)];
    Object.assign(secrets, { unusedLink: unused });
    for (const link of [used, unused]) {
      for (const path of [
        '/links/',
        '/app/links/',
        '/v1/links/',
        '/links/%zz',
        '/nowhere/',
        '/links/?link=',
        '/mcp/',
      ]) {
        for (const method of ['GET', 'HEAD', 'DELETE', 'QUERY'])
          await ask(method, `${path}${link}`, { headers: { referer: `${api.url}/links/${link}` } });
      }
      await ask('POST', '/app/links/read', { body: { secret: link } });
      await ask('POST', '/app/links/read', { body: { secret: link, colour: link } });
      await ask('POST', '/app/links/use', { raw: `{"secret": "${link}"` });
    }
    const accepted = await useLink(used, secrets['nextPassword'], true);
    expect(accepted.status).toBe(200);
    Object.assign(secrets, { accepted: accepted.body.token });
    expect((await useLink(used, secrets['nextPassword'])).status).toBe(404);
    await ask('GET', '/app/audit', { as: token });

    const made = await ask('POST', '/app/keys', { as: token, body: { name: 'a key', access: 'read' }, shows: true });
    secrets['key'] = made.body.key;
    await ask('GET', '/app/keys', { as: token });
    for (const as of [secrets['key'], secrets['madeUpKey'], secrets['bearer']]) {
      await ask('GET', '/v1/me', { as: as ?? '' });
      await ask('GET', '/v1/agents/%zz', { as: as ?? '' });
      await ask('POST', '/mcp', {
        as: as ?? '',
        body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        headers: { accept: 'application/json, text/event-stream', 'x-secret': secrets['header'] ?? '' },
      });
    }
    await ask('GET', `/v1/me?api_key=${secrets['key']}`, { headers: { 'x-api-key': secrets['header'] ?? '' } });
    await ask('POST', '/app/keys', {
      as: token,
      body: { name: 'x' },
      headers: { 'idempotency-key': secrets['header'] ?? '' },
    });

    identity.person = { sub: 'x', email: personal.email, email_verified: true };
    const begun = await ask('GET', '/sign-in/oidc', { shows: true });
    secrets['signOn'] = begun.cookies[0]?.split(/[=;]/)[1] ?? '';
    await ask('GET', '/sign-in/oidc/callback?code=forged&state=forged', {
      headers: { cookie: `earshot_sign_on=${secrets['signOn']}` },
    });
    await importCalls(token);
  }

  /** The secret of another invitation. */
  async function linkFor(token: string): Promise<string> {
    const body = { email: `third-${personal.email}`, name: 'Third', role: 'member' };
    const invited = await ask('POST', '/app/members', { as: token, body, shows: true });
    return new URL(invited.body.link).hash.slice(1);
  }

  /** A good import, one whose platform refuses the key, and one of lines that are no records. */
  async function importCalls(token: string): Promise<void> {
    const call = retellCall('call-1', { caller: personal.words });
    if (call.kind === 'call') call.payload['from_number'] = secrets['caller'];
    platform.calls.set('call-1', call);
    const connected = await ask('POST', '/app/agents', {
      as: token,
      body: {
        platform: 'retell',
        providerAgentId: 'agent_stand_in',
        apiKey: secrets['platformKey'],
        baseUrl: platform.url,
      },
    });
    expect(connected.status).toBe(200);
    const run = async (agentId: string, upload?: string) => {
      const started = await ask('POST', `/app/agents/${agentId}/imports`, {
        as: await world.token(),
        ...(upload === undefined ? { body: {} } : { raw: upload, headers: { 'content-type': 'application/x-ndjson' } }),
      });
      expect(started.status).toBe(200);
      const of = async () =>
        (await ask('GET', `/app/agents/${agentId}/imports/${started.body.id}`, { as: await world.token() })).body;
      await untilTrue(async () => ['complete', 'failed'].includes((await of()).status));
      return of();
    };
    expect(await run(connected.body.id)).toMatchObject({ status: 'complete', stored: 1, analysed: 1 });
    platform.always = { status: 401 };
    expect((await run(connected.body.id)).status).toBe('failed');
    platform.always = null;
    const file = await ask('POST', '/app/agents', { as: token, body: { platform: 'file', providerAgentId: 'lines' } });
    const lines = [
      `{"id": "${personal.words}"`,
      `{"turns": "${personal.words}"}`,
      `{"id":"ok","turns":[{"role":"caller","text":"${personal.words}"}]}`,
    ];
    await run(file.body.id, lines.join('\n'));
  }

  async function histories(): Promise<string> {
    let text = '';
    for await (const { workflowId, runId } of temporal.gateway.client.workflow.list()) {
      const handle = temporal.gateway.client.workflow.getHandle(workflowId, runId);
      const json = historyToJSON(await handle.fetchHistory());
      text += json;
      for (const [, data = ''] of json.matchAll(/"data":\s*"([A-Za-z0-9+/=]+)"/g))
        text += Buffer.from(data, 'base64').toString();
    }
    return text;
  }

  const unpacked = (headers: Record<string, string>, body: Buffer) =>
    (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('latin1');

  /** Every row of every table as PostgreSQL prints it, so bytes as hexadecimal digits. */
  async function dump(): Promise<string> {
    const db = world.database.em().getKysely();
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
    `.execute(db);
    let text = '';
    for (const { name } of tables) {
      const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.raw(name)} t`.execute(db);
      text += `${name}\n${rows.map(({ line }) => line).join('\n')}\n`;
    }
    return text;
  }

  test('are found in no log, no answer, no history and, but for the record itself, nowhere in the database', async () => {
    await cameIn();
    await untilTrue(async () => (await histories()).length > 1_000);
    const metrics = await fetch(`${api.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    // What a process has not sent yet it sends at its end.
    await api.stop();
    const traces = collector.received.map(({ headers, body }) => unpacked(headers, body)).join('\n');
    const places = {
      api: api.said(),
      worker: workerSaid,
      answers: answers.join('\n'),
      histories: await histories(),
      database: await dump(),
      metrics: await metrics.text(),
      traces,
    };
    expect(places.metrics).toContain('operation="useLink"');
    expect(places.traces).toContain('POST /app/links/use');
    expect(places.api).toContain('"answered"');
    expect(places.database).toContain(personal.words);
    const spelled = (text: string) => [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').replace(/=+$/, ''),
    ];
    const hits = Object.entries(places).flatMap(([place, text]) => [
      ...Object.entries(secrets).flatMap(([name, value]) => {
        expect([name, value.length]).toEqual([name, Math.max(12, value.length)]);
        return spelled(value).some((form) => text.includes(form)) ? [`${name} in ${place}`] : [];
      }),
      ...Object.entries(personal).flatMap(([name, value]) =>
        place !== 'database' && place !== 'answers' && spelled(value).some((form) => text.includes(form))
          ? [`${name} in ${place}`]
          : [],
      ),
    ]);
    expect(hits).toEqual([]);
  }, 300_000);
});
