import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, openOwner } from '../../src/db/migrate.ts';
import { startTestDatabase } from '../support/test-database-server.ts';
import { openTestFolder } from '../support/test-folder.ts';
import type { CheckResult } from './check.ts';

/** An empty database, migrated, has no difference to the entities. */
export async function entitiesMatchMigrations(): Promise<CheckResult> {
  const folder = openTestFolder();
  try {
    const server = await startTestDatabase(folder.path);
    try {
      const difference = await differenceAfterMigrating(server.url);
      return {
        ok: difference === '',
        text: 'an empty database was migrated',
        details: `The migrations lack:\n${difference}`,
      };
    } finally {
      await server.stop();
    }
  } finally {
    folder.remove();
  }
}

async function differenceAfterMigrating(serverUrl: string): Promise<string> {
  const name = `earshot_check_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: serverUrl });
  await server.connect();
  try {
    await server.query(`create database "${name}"`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    await migrate(url.href);
    const orm = await openOwner(url.href);
    try {
      return await orm.schema.getUpdateSchemaSQL({ wrap: false });
    } finally {
      await orm.close(true);
    }
  } finally {
    await server.query(`drop database if exists "${name}" with (force)`);
    await server.end();
  }
}
