import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { migrate } from '../../src/db/migrate.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
/** Two runs may share a server that the environment brings: they make the template, and copy it, one after the other. */
export const TEMPLATE_LOCK = 'select pg_advisory_lock(7243102)';

/**
 * Migrates the database that each test file gets a clone of. Its name is that of the migrations, so that a server which
 * outlives an edit of one never hands out the schema before it.
 * @returns its name.
 */
export async function prepareTemplate(serverUrl: string): Promise<string> {
  const template = `earshot_test_template_${digestOfMigrations()}`;
  await onServer(serverUrl, async (client) => {
    await client.query(TEMPLATE_LOCK);
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (!rowCount) await client.query(`create database "${template}"`);
    await migrate(withDatabase(serverUrl, template));
  });
  return template;
}

function digestOfMigrations(): string {
  const digest = createHash('sha256');
  for (const name of readdirSync(MIGRATIONS).sort()) digest.update(readFileSync(new URL(name, MIGRATIONS)));
  return digest.digest('hex').slice(0, 12);
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function onServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
