import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { shareRunFolder } from './prepared-cluster.ts';
import { prepareTemplate } from './template-database.ts';
import { startTestDatabase } from './test-database-server.ts';
import { openTestFolder } from './test-folder.ts';
import { startTestTemporal } from './test-temporal-server.ts';
import { prepareTimeSkippingServer } from './time-skipping-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests may create databases; the URL names its maintenance database. */
    databaseServerUrl: string;
    /** The migrated database that each test file gets a clone of. */
    templateDatabase: string;
    /** A Temporal dev server with the search attributes of the product, or null where none could be had. */
    temporalAddress: string | null;
    /** The program that starts a Temporal server whose time can be skipped, or null without Java and Maven. */
    timeSkippingServer: string | null;
  }
}

/** One PostgreSQL and one Temporal server for the whole run; `EARSHOT_TEST_DATABASE_URL` and `EARSHOT_TEST_TEMPORAL` bring one's own. */
export default async function setup(project: TestProject) {
  // The processes that tests start read what an earlier one made of the sources.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'earshot-test-compiled');
  // Temporal's server spends an eighth of its time on collecting garbage otherwise.
  process.env['GOGC'] ??= '400';
  const folder = openTestFolder();
  shareRunFolder(folder.path);
  const [{ database, template }, temporal, timeSkipping] = await Promise.all([
    startDatabase(folder.path),
    startTestTemporal(folder.path),
    prepareTimeSkippingServer(),
  ]);
  project.provide('databaseServerUrl', database.url);
  project.provide('templateDatabase', template);
  project.provide('temporalAddress', temporal.address);
  project.provide('timeSkippingServer', timeSkipping);
  return async () => {
    await temporal.stop();
    await database.stop();
    folder.remove();
  };
}

async function startDatabase(folder: string) {
  const database = await startTestDatabase(folder);
  return { database, template: await prepareTemplate(database.url) };
}
