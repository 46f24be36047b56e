import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { revokeKey } from '../../src/db/system/keys.ts';
import { BUCKETS } from '../../src/domain/limits/rate-limits.ts';
import { secretHash } from '../../src/operations/access/secrets.ts';
import { createServices } from '../../src/operations/create-services.ts';
import { type BenchDatabase, watchStatements, withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult, median, round, timed } from './measure.ts';
import { type BenchKey, makeKey } from './servers.ts';

export const GOAL = '1.8 × Fastify with `select 1`; 0.35 of its requests a second';

/** So many that no bucket empties while times are taken. */
const KEYS = 400;
const ONE_BY_ONE = 600;
const AT_ONCE = 1_600;
const CONNECTIONS = 8;
const HOT_KEY_DRAWS = 4_000;
const EXACT_SECONDS = 4;
const LATENCY_RATIO_MAX = 1.8;
const THROUGHPUT_RATIO_MIN = 0.35;
const UNLOGGED_RATIO_MIN = 2;
/** An emptied bucket admits the next token within the time that a request takes. */
const EXACT_WITHIN = 1.5;

/** Metric 19: a request with its key looked up and all its buckets drawn, beside Fastify with `select 1`. */
export async function run({ rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  return withBenchDatabase(async (database) => {
    const keys: BenchKey[] = [];
    for (let at = 0; at < KEYS; at += 1) keys.push(await makeKey(database));
    const first = await openApi(database, database);
    const otherDatabase = await openSecond(database);
    const second = await openApi(otherDatabase, database);
    const bare = await openBare(database);
    const bareSecond = await openBare(otherDatabase);
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
    try {
      let turn = 0;
      const ask = (app: FastifyInstance) => ask200(agent, app, '/v1/me', keys[(turn += 1) % KEYS]?.secret ?? '');
      const askBare = (app: FastifyInstance) => ask200(agent, app, '/', '');
      for (let at = 0; at < KEYS; at += 1) {
        await ask(first);
        await askBare(bare);
      }
      const statements = await statementsOf(() => ask(first));
      const latency = await alternate(
        rounds,
        () => p50(() => ask(first)),
        () => p50(() => askBare(bare)),
      );
      const throughput = await alternate(
        rounds,
        () => timed(() => many(() => ask(first))),
        () => timed(() => many(() => askBare(bare))),
      );
      const throughputRatio = round(1 / throughput.ratio, 3);
      const hot = await hotKey(database, rounds);
      const exact = await countAdmitted(agent, database, [first, second]);
      const revokedStatus = await useRevoked(agent, database, [first, second]);

      const misses: string[] = [];
      if (statements !== 1) misses.push(`A request sends ${statements} statements, not one.`);
      if (latency.ratio > LATENCY_RATIO_MAX)
        misses.push(`The median is ${latency.ratio} of the bare one, above ${LATENCY_RATIO_MAX}.`);
      if (throughputRatio < THROUGHPUT_RATIO_MIN)
        misses.push(`Requests a second are ${throughputRatio} of the bare ones, under ${THROUGHPUT_RATIO_MIN}.`);
      if (hot.ratio < UNLOGGED_RATIO_MIN)
        misses.push(`A hot key is ${hot.ratio} times as fast as with a logged table, under ${UNLOGGED_RATIO_MIN}.`);
      if (Math.abs(exact.admitted - exact.expected) > EXACT_WITHIN)
        misses.push(`${exact.admitted} requests were admitted, not ${exact.expected}.`);
      if (revokedStatus !== 401) misses.push(`A revoked key was answered with ${revokedStatus}.`);
      return {
        metric: 'limits',
        sizes: [KEYS],
        ours: [latency.ours],
        baseline: [latency.baseline],
        ratio: [latency.ratio],
        exponent: null,
        counters: {
          statements,
          throughputRatio,
          requestsASecond: Math.round((AT_ONCE / throughput.ours) * 1000),
          hotKeyUnlogged: hot.unlogged,
          hotKeyLogged: hot.logged,
          hotKeyRatio: hot.ratio,
          admitted: exact.admitted,
          expected: exact.expected,
        },
        ok: misses.length === 0,
        misses,
      };
    } finally {
      agent.destroy();
      await Promise.all([first, second, bare, bareSecond].map((app) => app.close()));
      await otherDatabase.close();
    }
  }, CONNECTIONS / 2);
}

function openSecond({ url }: BenchDatabase): Promise<Database> {
  return openDatabase({
    url,
    poolMax: CONNECTIONS / 2,
    applicationName: 'earshot-bench-second',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
}

async function openApi(database: Database, { url }: BenchDatabase): Promise<FastifyInstance> {
  const config = readConfig({ DATABASE_URL: url, EARSHOT_SECRET: 'a secret of the benches, 32 characters or more' });
  const ready = { ok: true, message: '' };
  const app = await buildApp({
    services: createServices({ config, database, log: pino({ level: 'silent' }) }),
    health: {
      database: async () => ready,
      readiness: async () => ({ ready: true, database: ready, temporal: ready, workers: { ...ready, seen: 1 } }),
      accepting: () => true,
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

/** The same server and pool with nothing but one statement. */
async function openBare(database: Database): Promise<FastifyInstance> {
  const app = Fastify({ logger: false });
  app.get('/', async () => {
    const { rows } = await sql`select 1 as one`.execute(database.unscoped().getKysely());
    return rows[0];
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

function ask(agent: Agent, app: FastifyInstance, path: string, key: string): Promise<number> {
  const { port } = app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ agent, port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    }).on('error', reject);
  });
}

async function ask200(agent: Agent, app: FastifyInstance, path: string, key: string): Promise<void> {
  const status = await ask(agent, app, path, key);
  if (status !== 200) throw new Error(`The bench was answered with ${status}.`);
}

async function p50(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < ONE_BY_ONE; at += 1) times.push(await timed(work));
  return median(times);
}

async function many(work: () => Promise<unknown>): Promise<void> {
  let left = AT_ONCE;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const watch = watchStatements();
  await work();
  watch.stop();
  return watch.sent.length;
}

/** Draws from one key's buckets over eight connections, with limits that never refuse. */
async function hotKey(database: BenchDatabase, rounds: number) {
  const { secret } = await makeKey(database);
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  const draw = `select outcome from enter($1, null, null, null, '127.0.0.1', 30, 30, true,
    array['requests', 'writes', 'workspace'], array[60000000, 60000000, 60000000],
    array[1000000000, 1000000000, 1000000000])`;
  const drawMany = () =>
    timed(() =>
      Promise.all(
        clients.map(async (client) => {
          for (let at = 0; at < HOT_KEY_DRAWS / CONNECTIONS; at += 1) await client.query(draw, [secretHash(secret)]);
        }),
      ),
    );
  const withTable = (kind: 'logged' | 'unlogged') => async () => {
    await database.client.query(`alter table buckets set ${kind}`);
    return drawMany();
  };
  try {
    const { ours, baseline, ratio } = await alternate(rounds, withTable('unlogged'), withTable('logged'));
    const aSecond = (ms: number) => Math.round((HOT_KEY_DRAWS / ms) * 1000);
    return { unlogged: aSecond(ours), logged: aSecond(baseline), ratio: round(1 / ratio, 2) };
  } finally {
    await database.client.query('alter table buckets set unlogged');
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Asks with one key as fast as two servers can answer, and counts on the database's clock. */
async function countAdmitted(agent: Agent, database: BenchDatabase, apps: FastifyInstance[]) {
  const { secret } = await makeKey(database);
  const start = await databaseSeconds(database);
  const until = performance.now() + EXACT_SECONDS * 1000;
  let admitted = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS * 2 }, async (_, lane) => {
      const app = apps[lane % apps.length];
      while (app && performance.now() < until) if ((await ask(agent, app, '/v1/me', secret)) === 200) admitted += 1;
    }),
  );
  const seconds = (await databaseSeconds(database)) - start;
  const { burst, perMinute } = BUCKETS.requests;
  return { admitted, expected: round(burst + (seconds * perMinute) / 60, 1) };
}

async function databaseSeconds({ client }: BenchDatabase): Promise<number> {
  const { rows } = await client.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 as at');
  return rows[0]?.at ?? Number.NaN;
}

/** @returns the status of the first request to one server after the key was revoked beside another. */
async function useRevoked(agent: Agent, database: BenchDatabase, [first, second]: FastifyInstance[]): Promise<number> {
  if (!first || !second) throw new Error('Two servers are needed.');
  const key = await makeKey(database);
  await ask200(agent, first, '/v1/me', key.secret);
  await ask200(agent, second, '/v1/me', key.secret);
  await revokeKey(database.unscoped(), key.workspaceId, key.id);
  return ask(agent, second, '/v1/me', key.secret);
}
