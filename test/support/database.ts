import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type OwnedDatabase, openOwnedDatabase } from './owned-database.ts';
import { onServer, TEMPLATE_LOCK, withDatabase } from './template-database.ts';

export interface TestDatabase extends OwnedDatabase {
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

/** A migrated database of its own for one test file: a clone of the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseServerUrl');
  const name = `earshot_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, async (client) => {
    await client.query(TEMPLATE_LOCK);
    await client.query(`create database "${name}" template "${inject('templateDatabase')}" strategy file_copy`);
  });
  const database = await openTestDatabase(withDatabase(serverUrl, name));
  return {
    ...database,
    async drop() {
      await database.close();
      await onServer(serverUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
    },
  };
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
