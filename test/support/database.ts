import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { moveTo, type OwnedDatabase, openOwnedDatabase } from './owned-database.ts';
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
  const url = withDatabase(serverUrl, name);
  const kept = closed.pop();
  const opened = kept ? moveTo(kept, url) : await openTestDatabase(url);
  let isOpen = true;
  const whileOpen = <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Answer) => {
    return (...asked: Asked): Answer => {
      if (!isOpen) throw new Error('The database of the test was closed, and what opened it may be at another by now.');
      return ask(...asked);
    };
  };
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await opened.close();
    closed.push(opened);
  };
  return {
    ...opened,
    em: whileOpen(opened.em),
    within: whileOpen(opened.within),
    unscoped: whileOpen(opened.unscoped),
    close,
    async drop() {
      await close();
      await onServer(serverUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
    },
  };
}

/** What files before this one in the process have closed. */
const closed: OwnedDatabase[] = [];

function openTestDatabase(url: string): Promise<OwnedDatabase> {
  return openOwnedDatabase({
    url,
    poolMax: 4,
    applicationName: 'earshot-test',
    statementTimeoutMs: 0,
    onIdleError: () => {},
  });
}
