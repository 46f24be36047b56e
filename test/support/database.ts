import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { inject } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { type OwnedDatabase, openOwnedDatabase } from './owned-database.ts';

export interface TestDatabase extends OwnedDatabase {
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** Named after the migrations, so that a server which outlives an edit of one never hands out the schema before it. */
const TEMPLATE = `earshot_test_template_${digestOfMigrations()}`;

/** A migrated database of its own for one test file: a clone of a template that is migrated once a run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseServerUrl');
  await ensureTemplate(serverUrl);
  const name = `earshot_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(7243102)');
    await client.query(`create database "${name}" template "${TEMPLATE}"`);
  });
  const url = withDatabase(serverUrl, name);
  const database = await openTestDatabase(url);
  return {
    ...database,
    async drop() {
      await database.close();
      await onServer(serverUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
    },
  };
}

async function ensureTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock(7243102)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [TEMPLATE]);
    if (!rowCount) await client.query(`create database "${TEMPLATE}"`);
    await migrate(withDatabase(serverUrl, TEMPLATE));
  });
}

function digestOfMigrations(): string {
  const digest = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) digest.update(readFileSync(new URL(name, MIGRATIONS)));
  return digest.digest('hex').slice(0, 12);
}

function openTestDatabase(url: string): Promise<OwnedDatabase> {
  return openOwnedDatabase({
    url,
    poolMax: 4,
    applicationName: 'earshot-test',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
