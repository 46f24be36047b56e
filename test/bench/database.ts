import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../../packages/embedded/postgres.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type OwnedDatabase, openOwnedDatabase } from '../support/owned-database.ts';
import { openTestFolder } from '../support/test-folder.ts';

export interface BenchDatabase extends OwnedDatabase {
  /** The raw driver, for baselines and for loading data. */
  client: pg.Client;
}

/** A migrated scratch database on the server of `DATABASE_URL`, else on an embedded one that syncs as in production. */
export async function withBenchDatabase<T>(work: (database: BenchDatabase) => Promise<T>, poolMax = 2): Promise<T> {
  const given = process.env.DATABASE_URL ?? process.env.EARSHOT_TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startOwnServer();
  const name = `earshot_bench_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database "${name}"`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const database = await open(url.href, poolMax);
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    return await work({ ...database, client });
  } finally {
    await client.end();
    await database.close();
    await admin.query(`drop database if exists "${name}" with (force)`);
    await admin.end();
    await server.stop();
  }
}

function open(url: string, poolMax: number): Promise<OwnedDatabase> {
  return openOwnedDatabase({
    url,
    poolMax,
    applicationName: 'earshot-bench',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
}

async function startOwnServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = openTestFolder(true);
  const server = await startPostgres({ dataFolder: folder.path, database: 'postgres', durable: true });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}

export interface SentStatement {
  /** Of one that is planned once a connection. */
  name?: string;
  text: string;
  values: unknown[];
}

/** Notes the statements that the process sends, transactions' own included. */
export function watchStatements(): { sent: SentStatement[]; stop(): void } {
  const original = pg.Client.prototype.query;
  const sent: SentStatement[] = [];
  pg.Client.prototype.query = function watched(this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const given = typeof first === 'object' && first !== null ? (first as Partial<SentStatement>) : null;
    const text = given?.text ?? (typeof first === 'string' ? first : '');
    sent.push({
      ...(given?.name ? { name: given.name } : {}),
      text,
      values: given?.values ?? (Array.isArray(second) ? second : []),
    });
    return Reflect.apply(original, this, args);
  } as typeof original;
  return {
    sent,
    stop() {
      pg.Client.prototype.query = original;
    },
  };
}
