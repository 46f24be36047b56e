import { relative } from 'node:path';
import pg from 'pg';
import { fieldOf } from '../../src/domain/json.ts';
import { messageOf, UserFacingError } from '../../src/user-facing-error.js';
import { keepAlive } from './keep-alive.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { givenServer, type Server } from './server.ts';
import type { Step, Steps } from './steps.js';

const NAME = 'PostgreSQL';
const DATABASE = 'earshot';
const OLDEST_MAJOR_VERSION = 15;

/**
 * The database that `DATABASE_URL` names, else the embedded one.
 * @throws UserFacingError when there is none to work with.
 */
export async function startDatabase(dataFolder: string, given: string | undefined, steps: Steps): Promise<Server> {
  const step = steps.begin(NAME);
  try {
    return given ? await useGiven(given, step) : await startOwn(dataFolder, step, steps);
  } catch (error) {
    step.dropped();
    throw error;
  }
}

async function startOwn(dataFolder: string, step: Step, steps: Steps): Promise<Server> {
  const start = () => startPostgres({ dataFolder, database: DATABASE, progress: step.progress });
  const running = await start();
  const place = running.moved
    ? `${running.folder} (it cannot run as root, and its user cannot pass the folders above ${dataFolder})`
    : relative(process.cwd(), running.folder) || running.folder;
  step.done(`${running.adopted ? 'ran already' : 'started'} on 127.0.0.1:${running.port}, data in ${place}`);
  const sameAddress = (a: RunningPostgres, b: RunningPostgres) => a.url === b.url;
  const watched = keepAlive<RunningPostgres>({ name: NAME, running, start, sameAddress, say: steps.say });
  return { name: NAME, env: { DATABASE_URL: running.url }, uiUrl: null, ...watched };
}

async function useGiven(url: string, step: Step): Promise<Server> {
  const place = placeOf(url);
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    const major = Math.floor((rows[0]?.version ?? 0) / 10_000);
    if (major < OLDEST_MAJOR_VERSION) {
      throw new UserFacingError(
        `DATABASE_URL names PostgreSQL ${major} at ${place}, and Earshot needs ${OLDEST_MAJOR_VERSION} or later.`,
      );
    }
    step.done(`${place}, version ${major}, given by DATABASE_URL`);
  } catch (error) {
    if (error instanceof UserFacingError) throw error;
    throw new UserFacingError(
      `DATABASE_URL is set, but no usable PostgreSQL answers at ${place} (${messageOf(error) || String(fieldOf(error, 'code'))}): start it or correct the address, or unset DATABASE_URL to use the embedded one.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
  return givenServer(NAME, { DATABASE_URL: url }, null);
}

/** Host, port and database: the parts of the address that may be shown. */
function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || 'the local socket'}${pathname}`;
  } catch {
    throw new UserFacingError(
      'DATABASE_URL is no address: it should look like postgres://user:password@host:5432/database.',
    );
  }
}
