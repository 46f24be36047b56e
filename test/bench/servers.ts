import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { buildApp } from '../../api/app.ts';
import { freePort } from '../../packages/embedded/ports.ts';
import { SERVER_NODE_OPTIONS } from '../../packages/embedded/settings.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { insertKey } from '../../src/db/system/keys.ts';
import { insertWorkspaceWithAdmin } from '../../src/db/system/setup.ts';
import { newId } from '../../src/ids.ts';
import { newKeySecret, secretHash } from '../../src/operations/access/secrets.ts';
import { createServices } from '../../src/operations/create-services.ts';
import type { BenchAgent } from './data.ts';
import { type BenchDatabase, type SentStatement, watchStatements } from './database.ts';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** From the spawn to the line in which it says that it listens. */
  readyMs: number;
  stop(): Promise<void>;
}

const SECRET = 'a secret of the benches, 32 characters or more';

/** Starts a program of this project that says `{"ready":true,"port":…}` once it listens. */
export async function startServer(entry: string, env: Record<string, string>): Promise<ServerProcess> {
  const start = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${entry}`, import.meta.url))], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  const line = await new Promise<string>((resolve) => {
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (said) => {
        if (said.startsWith('{"ready"')) resolve(said);
      });
    void ended.then(() => resolve('{"port":0}'));
  });
  const readyMs = performance.now() - start;
  const { port = 0 } = JSON.parse(line) as { port?: number };
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    readyMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** It writes no line for each answer, as a bare server writes none, and runs as `npm start` runs it. */
export const productEnv = (database: { url: string }) => ({
  NODE_OPTIONS: SERVER_NODE_OPTIONS,
  DATABASE_URL: database.url,
  EARSHOT_SECRET: SECRET,
  EARSHOT_LOG_LEVEL: 'error',
});

/** The product's own API process. */
export async function startProductApi(
  database: { url: string },
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServer('api/server.ts', {
    ...productEnv(database),
    EARSHOT_PORT: String(await freePort()),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...env,
  });
}

export function startBare(
  database: { url: string },
  workspaceId: string,
  statements: SentStatement[],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServer('test/bench/servers/bare.ts', {
    DATABASE_URL: database.url,
    BENCH_WORKSPACE: workspaceId,
    BENCH_STATEMENTS: JSON.stringify(statements),
    ...env,
  });
}

/** Keys of the agent's workspace, so many that none of their own buckets empties within a batch. */
export async function makeKeys(database: BenchDatabase, { workspaceId }: BenchAgent, count: number): Promise<string[]> {
  const { personId } = await makeAdmin(database);
  const secrets: string[] = [];
  for (let at = 0; at < count; at += 1) secrets.push((await makeKey(database, { workspaceId, personId })).secret);
  return secrets;
}

export interface BenchKey {
  id: string;
  workspaceId: string;
  secret: string;
}

interface KeyToMake {
  workspaceId: string;
  personId: string;
  /** What it may spend a month on runs; a key without it only reads. */
  budgetUsd?: number;
}

/** A key in a workspace of its own, where none is named. */
export async function makeKey(database: Database, made?: KeyToMake): Promise<BenchKey> {
  const given: KeyToMake = made ?? (await makeAdmin(database));
  const { workspaceId, personId } = given;
  const budgetUsd = given.budgetUsd ?? null;
  const secret = newKeySecret();
  const { id } = await insertKey(database.unscoped(), {
    workspaceId,
    name: 'a key',
    access: budgetUsd === null ? 'read' : 'write',
    agentId: null,
    monthlyBudgetUsd: budgetUsd,
    secretHash: secretHash(secret),
    prefix: secret.slice(0, 10),
    createdBy: personId,
  });
  return { id, workspaceId, secret };
}

function makeAdmin(database: Database) {
  return insertWorkspaceWithAdmin(database.unscoped(), {
    workspaceName: 'A workspace',
    email: `${newId()}@example.com`,
    name: 'An admin',
    passwordHash: null,
  });
}

/** The statements that one request sends, in order, as the product's own application sends them. */
export async function statementsOfRequest(
  database: BenchDatabase,
  path: string,
  key: string,
): Promise<SentStatement[]> {
  const config = readConfig({ DATABASE_URL: database.url, EARSHOT_SECRET: SECRET });
  const ready = { ok: true, message: '' };
  const app = await buildApp({
    services: createServices({ config, database, log: pino({ level: 'silent' }) }),
    health: {
      database: async () => ready,
      readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
      accepting: () => true,
    },
  });
  const request = { url: path, headers: { authorization: `Bearer ${key}` } };
  // The first one makes the bucket and notes the key's use.
  await app.inject(request);
  const watch = watchStatements();
  const answer = await app.inject(request);
  watch.stop();
  await app.close();
  if (answer.statusCode !== 200) throw new Error(`The bench was answered with ${answer.statusCode}.`);
  return watch.sent;
}

/** Every bucket is full again: limits are at work, and refuse nobody while times are taken. One that is drawn from at this moment has its turn at the next filling. */
export async function refill({ client }: BenchDatabase): Promise<void> {
  await client.query(
    `update buckets set full_at = '-infinity' where name in (select name from buckets for update skip locked)`,
  );
}
