import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { fieldOf } from '../../src/domain/json.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { fileTrouble, lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { tailOf } from './logs.ts';
import { CLUSTER_FOLDER, findPlace, type Place, placeNoted } from './place.ts';
import { freePort, isFree } from './ports.ts';
import { diskFull, makeCluster } from './postgres-cluster.ts';
import {
  becomesReady,
  removeStalePidFile,
  type ServerProcess,
  serverOn,
  spawnServer,
  stopServer,
  urlOf,
} from './postgres-process.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { sendSignal } from './processes.js';

export interface RunningPostgres {
  /** With the password; for child processes, never for output. */
  url: string;
  port: number;
  pid: number;
  /** The cluster's folder. */
  folder: string;
  /** Whether the folder had to move out of the data folder (see `findPlace`). */
  moved: boolean;
  /** Whether it ran already, from an earlier start. */
  adopted: boolean;
  stop(): Promise<void>;
  /** Ends it at once; the next start recovers what was committed. */
  kill(): void;
}

export interface PostgresOptions {
  dataFolder: string;
  /** The database that is made in the cluster and named in the URL. */
  database: string;
  /** False for throw-away clusters: nothing is synced to disk. */
  durable?: boolean;
  progress?(text: string): void;
}

const START_TRIES = 8;

/**
 * Starts the embedded PostgreSQL of a data folder, or takes over the one that an earlier start left running.
 * @throws UserFacingError that says what is wrong and what to do.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  try {
    const dataFolder = realpathSync(options.dataFolder);
    const place = findPlace(dataFolder, postgresPrograms());
    const access = readAccess(dataFolder, existsSync(join(place.folder, CLUSTER_FOLDER, 'PG_VERSION')));
    const folder = await makeCluster(place, access.password, options.durable !== false);
    const running = await adopt(folder, access.password);
    const started = running ?? (await start(place, folder, access, options));
    const url = urlOf(started.port, access.password, options.database);
    await ensureDatabase(urlOf(started.port, access.password, 'postgres'), options.database);
    return {
      ...started,
      url,
      folder,
      moved: place.moved,
      adopted: running !== null,
      stop: () => stopServer(folder),
      kill: () => sendSignal(started.pid, 'SIGQUIT'),
    };
  } catch (error) {
    throw fileTrouble(error, options.dataFolder) ?? error;
  }
}

/** Stops the cluster of a data folder, whoever started it: connections are ended, everything is written. */
export async function stopPostgres(dataFolder: string): Promise<void> {
  await stopServer(join(placeNoted(dataFolder) ?? dataFolder, CLUSTER_FOLDER));
}

/** Ends the server of a data folder at once, where nobody can wait; its next start recovers what was committed. */
export function killPostgres(dataFolder: string): void {
  const found = serverOn(join(placeNoted(dataFolder) ?? dataFolder, CLUSTER_FOLDER));
  if (found) sendSignal(found.pid, 'SIGQUIT');
}

/** The cluster of a data folder that runs now, whether or not it answers; null when there is none. */
export function runningPostgres(dataFolder: string): { url: string } | null {
  const found = serverOn(join(placeNoted(dataFolder) ?? dataFolder, CLUSTER_FOLDER));
  const access = storedAccess(join(dataFolder, 'postgres.json'));
  return found && access ? { url: urlOf(found.port, access.password, 'postgres') } : null;
}

interface Access {
  port: number | null;
  password: string;
}

function storedAccess(file: string): Access | null {
  const found = readJson(file);
  const [port, password] = [fieldOf(found, 'port'), fieldOf(found, 'password')];
  return typeof password === 'string' ? { password, port: typeof port === 'number' ? port : null } : null;
}

function readAccess(dataFolder: string, hasCluster: boolean): Access {
  const file = join(dataFolder, 'postgres.json');
  const found = storedAccess(file);
  if (found) return found;
  if (hasCluster) {
    throw new UserFacingError(
      `${file} is missing, and it holds the password of the database beside it: put it back, or move ${dataFolder} away to start anew.`,
    );
  }
  const access = { port: null, password: randomBytes(18).toString('base64url') };
  writeWhole(file, `${JSON.stringify(access)}\n`);
  return access;
}

/** The cluster that already runs on this folder, after it has shown that it is this one. */
async function adopt(folder: string, password: string): Promise<ServerProcess | null> {
  const found = serverOn(folder);
  return found && (await becomesReady(found, password, folder)) ? found : null;
}

async function start(place: Place, folder: string, access: Access, options: PostgresOptions) {
  const progress = options.progress ?? (() => {});
  const log = join(options.dataFolder, 'logs', 'postgres.log');
  let port = access.port;
  for (let attempt = 1; ; attempt += 1) {
    if (port === null || !(await isFree(port))) port = await freePort();
    writeWhole(join(options.dataFolder, 'postgres.json'), `${JSON.stringify({ ...access, port })}\n`);
    removeStalePidFile(folder);
    const from = tailOf(log).size;
    const pid = spawnServer({ place, folder, port, log, durable: options.durable !== false });
    if (await becomesReady({ pid, port }, access.password, folder)) return { port, pid };
    const said = tailOf(log, from).text;
    if (/No space left on device/i.test(said)) throw diskFull(folder);
    if (attempt === START_TRIES)
      throw new UserFacingError(
        `PostgreSQL does not start on ${folder}. Its last words, from ${log}:\n${lastLines(said, 4)}`,
      );
    if (/Address already in use|could not bind/i.test(said)) port = null;
    // After a killed server its children and its shared memory may take a moment to go.
    progress('waiting for what a killed server left behind');
    await sleep(1_000);
  }
}

async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
