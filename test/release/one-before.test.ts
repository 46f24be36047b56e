import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, inject, test } from 'vitest';
import { bareEnvironment } from '../support/bare-environment.ts';
import { layOutEarlierCode } from '../support/earlier-code.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { openNamespace, TEST_SECRET, testBundle, untilTrue } from '../support/pipeline.ts';
import { lastingPort } from '../support/ports.ts';
import { onServer, withDatabase } from '../support/template-database.ts';
import { openTestFolder } from '../support/test-folder.ts';
import type { Loose } from '../support/world.ts';

const TODAY = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN = { email: 'quality@example.com', password: 'a password of this test' };
const CALLS = 12;
/** Of these, one in three has a tool that fails. */
const FAILING = CALLS / 3;
const folder = openTestFolder();
const undo: (() => Promise<unknown>)[] = [() => Promise.resolve(folder.remove())];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

interface Api {
  url: string;
  stop(): Promise<void>;
}

/** One version of the product: its folder and the environment of its processes. */
interface Version {
  root: string;
  env: NodeJS.ProcessEnv;
}

test('the release before works on the schema of this one, beside it and after it', async ({ skip }) => {
  const root = join(folder.path, 'earlier');
  const laidOut = await layOutEarlierCode(root);
  if ('why' in laidOut) return skip(laidOut.why);
  const env = await makePlace();
  const earlier = { root, env: { ...env, EARSHOT_DATA: join(folder.path, 'data') } };
  const today = { root: TODAY, env: { ...env, EARSHOT_WORKFLOW_BUNDLE: await testBundle() } };

  // The earlier code migrates, and makes the first workspace.
  const key = await makeWorkspace(earlier);
  const [earlierApi, stopEarlierWorker] = await Promise.all([startApi(earlier), startWorker(earlier)]);
  const agentId = await makeAgent(earlierApi);
  const acknowledged: string[] = [];
  const take = async (api: Api, name: string) => acknowledged.push(...(await importCalls(api, agentId, name)));
  const wholeAt = (api: Api) => expectWhole(api, { agentId, key, ids: acknowledged });

  await take(earlierApi, 'before');
  const [migrated] = await Promise.all([migrate(today), take(earlierApi, 'meanwhile')]);
  expect(migrated.length).toBeGreaterThan(0);
  await take(earlierApi, 'on-the-newer-schema');
  await wholeAt(earlierApi);

  // In the order of docs/operating.md: workers first, since those before may not open what a newer API seals.
  const stopTodaysWorker = await startWorker(today);
  await take(earlierApi, 'two-workers');
  await stopEarlierWorker();
  const todaysApi = await startApi(today);
  // One after the other: until 2026-11-24 an API lost lines of one upload to another at the same moment.
  await take(earlierApi, 'two-apis-a');
  await take(todaysApi, 'two-apis-b');
  await Promise.all([wholeAt(earlierApi), wholeAt(todaysApi)]);

  // And back.
  await todaysApi.stop();
  await startWorker(earlier);
  await stopTodaysWorker();
  await take(earlierApi, 'after');
  await wholeAt(earlierApi);
});

/** An empty database and a namespace. @returns the environment of all processes on them. */
async function makePlace(): Promise<NodeJS.ProcessEnv> {
  const serverUrl = inject('databaseServerUrl');
  const name = `earshot_before_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, (client) => client.query(`create database "${name}"`));
  undo.push(() => onServer(serverUrl, (client) => client.query(`drop database if exists "${name}" with (force)`)));
  const temporal = await openNamespace(inject('temporalAddress') ?? '');
  undo.push(() => temporal.close());
  return {
    ...bareEnvironment(),
    DATABASE_URL: withDatabase(serverUrl, name),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EARSHOT_SECRET: TEST_SECRET,
    EARSHOT_NO_POLL: '1',
    EARSHOT_ADMIN_EMAIL: ADMIN.email,
    EARSHOT_ADMIN_PASSWORD: ADMIN.password,
  };
}

/** As `npm start` does it. @returns a write key. */
async function makeWorkspace({ root, env }: Version): Promise<string> {
  const code = `
    const { openFirstData } = await import('./packages/embedded/first-data.ts');
    const data = await openFirstData(process.env, 'http://localhost');
    console.log(JSON.stringify(await data.ensureWorkspace(true)));
    await data.close();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: root, env });
  return JSON.parse(stdout).key;
}

/** @returns the names of the migrations that ran. */
async function migrate({ root, env }: Version): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['api/migrate.ts'], { cwd: root, env });
  return JSON.parse(stdout).migrated;
}

async function startApi(version: Version): Promise<Api> {
  const port = await lastingPort();
  const stop = await start({ ...version, env: { ...version.env, EARSHOT_PORT: String(port) } }, 'api/server.ts');
  return { url: `http://127.0.0.1:${port}`, stop };
}

const startWorker = (version: Version) => start(version, 'activities/worker.ts');

/** Resolves once it is ready. @returns what ends it tidily. */
async function start({ root, env }: Version, entry: string): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(root, entry)], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  killAtExit(child);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => end(child, ended);
  undo.push(stop);
  const isReady = await new Promise<boolean>((resolve) => {
    createInterface({ input: child.stdout }).once('line', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!isReady) throw new Error(`${entry} of ${root} did not start: ${said}`);
  return stop;
}

async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

async function ask(url: string, token: string, init: RequestInit = {}): Promise<Loose> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers };
  const answer = await fetch(url, { ...init, headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

const sessions = new Map<string, { token: string; until: number }>();

/** @returns a session token. It is used for half of its minute, since an address may not sign in without end. */
async function signIn({ url }: Api): Promise<string> {
  const session = sessions.get(url);
  if (session && Date.now() < session.until) return session.token;
  const { token } = await ask(`${url}/app/sign-in`, '', { method: 'POST', body: JSON.stringify(ADMIN) });
  sessions.set(url, { token, until: Date.now() + 30_000 });
  return token;
}

async function makeAgent(api: Api): Promise<string> {
  const body = JSON.stringify({ platform: 'file', providerAgentId: 'front-desk', name: 'Front desk' });
  return (await ask(`${api.url}/app/agents`, await signIn(api), { method: 'POST', body })).id;
}

/** Uploads calls and waits until their import is complete. @returns the platform's ids of the calls. */
async function importCalls(api: Api, agentId: string, name: string): Promise<string[]> {
  const ids = Array.from({ length: CALLS }, (_, at) => `${name}-${at}`);
  const imports = `${api.url}/app/agents/${agentId}/imports`;
  const begun = await ask(imports, await signIn(api), {
    method: 'POST',
    body: ids.map((id, at) => JSON.stringify(recordOf(id, at))).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  let now = begun;
  await untilTrue(async () => {
    now = await ask(`${imports}/${begun.id}`, await signIn(api));
    return now.status === 'complete';
  });
  expect(now).toMatchObject({ listed: CALLS, stored: CALLS, failed: 0 });
  return ids;
}

function recordOf(id: string, at: number) {
  const startedAt = Date.parse('2026-11-10T10:00:00Z') + at * 60_000;
  const ok = at % 3 !== 0;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(startedAt + 20_000).toISOString(),
    turns: [
      { role: 'agent', text: 'Northwind Parcels, how can I help?', startMs: 500, endMs: 2_000 },
      { role: 'caller', text: 'Where is my parcel?', startMs: 2_500, endMs: 4_000 },
      { role: 'agent', text: '', startMs: 4_500, toolCall: { id: 'call_1', name: 'find_parcel', args: {} } },
      { role: 'tool', startMs: 5_000, toolResult: { id: 'call_1', name: 'find_parcel', ok, body: { ok } } },
    ],
  };
}

/** Every call that was acknowledged is there once and was read, and the sums say so. */
async function expectWhole(
  { url }: Api,
  { agentId, key, ids }: { agentId: string; key: string; ids: readonly string[] },
): Promise<void> {
  const base = `${url}/v1/agents/${agentId}`;
  await untilTrue(async () => (await ask(`${base}/board`, key)).calls === ids.length);
  const { data, hasMore } = await ask(`${base}/calls?limit=100`, key);
  expect(hasMore).toBe(false);
  expect(data.map(({ providerCallId }: Loose) => providerCallId).toSorted()).toEqual(ids.toSorted());
  const failing = data.filter(({ signalCodes }: Loose) => signalCodes.includes('tool_failed'));
  expect(failing).toHaveLength((ids.length / CALLS) * FAILING);
}
