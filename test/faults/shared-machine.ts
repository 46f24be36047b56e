import { inject } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { openNamespace } from '../support/pipeline.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { type WorkerMachine, workersOn } from './worker-machine.ts';

/** Workers on the servers of the whole run, with a database and a namespace of their own: for tests that end workers alone. */
export async function shareMachine(): Promise<WorkerMachine> {
  const folder = openTestFolder();
  const [database, temporal] = await Promise.all([
    createTestDatabase(),
    openNamespace(inject('temporalAddress') ?? ''),
  ]);
  const workers = await workersOn(() => ({
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    EARSHOT_DATA: folder.path,
  }));
  return {
    database,
    startWorker: workers.start,
    async close() {
      workers.kill();
      await temporal.close();
      await database.drop();
      folder.remove();
    },
  };
}
