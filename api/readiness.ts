import type { Database } from '../src/db/database.ts';
import { processesAlive } from '../src/db/system/processes.ts';
import type { TemporalGateway } from '../src/temporal/client.ts';
import type { Part, Readiness } from './plugins/health.ts';

const ASK_WITHIN_MS = 1_500;
const AWAY = 'The database does not answer. Is PostgreSQL up, and DATABASE_URL right?';
const SLOW = 'The database did not answer within 1.5 seconds. Where the machine is busy, try again in a moment.';

class LateError extends Error {
  override name = 'LateError';
}

/** Asks the database, Temporal and the workers' signs of life, each for itself. */
export async function readReadiness(database: Database, temporal: () => Promise<TemporalGateway>): Promise<Readiness> {
  const [workers, temporalPart] = await Promise.all([seeWorkers(database), askTemporal(temporal)]);
  const databasePart = workers.database;
  return {
    ready: databasePart.ok && temporalPart.ok && workers.part.ok,
    database: databasePart,
    temporal: temporalPart,
    workers: { ...workers.part, seen: workers.seen },
  };
}

/** Asks the database alone. */
export async function readDatabase(database: Database): Promise<Part> {
  return (await seeWorkers(database)).database;
}

async function seeWorkers(database: Database): Promise<{ database: Part; part: Part; seen: number }> {
  try {
    const seen = (await within(processesAlive(database.unscoped(), 'worker'))).length;
    const part =
      seen > 0
        ? { ok: true, message: `${seen} at work.` }
        : { ok: false, message: 'No worker has been seen lately: start one (npm start does).' };
    return { database: { ok: true, message: 'Answers.' }, part, seen };
  } catch (error) {
    return {
      database: { ok: false, message: error instanceof LateError ? SLOW : AWAY },
      part: { ok: false, message: 'Not known while the database does not answer.' },
      seen: 0,
    };
  }
}

async function askTemporal(temporal: () => Promise<TemporalGateway>): Promise<Part> {
  try {
    await (await temporal()).check(ASK_WITHIN_MS);
    return { ok: true, message: 'Answers.' };
  } catch {
    return { ok: false, message: 'Temporal does not answer. Reads go on; imports wait until it is back.' };
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LateError()), ASK_WITHIN_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
