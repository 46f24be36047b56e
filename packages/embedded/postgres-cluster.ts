import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLines, UserFacingError } from '../../src/user-facing-error.js';
import { CLUSTER_FOLDER, type Place } from './place.ts';

export const SUPERUSER = 'earshot';
const MAJOR_VERSION = '18';

/**
 * Makes the cluster where there is none. It is made under another name and gets its own only when it is complete,
 * so that an interrupted start leaves nothing that looks like a cluster.
 * @returns the cluster's folder.
 */
export async function makeCluster(place: Place, password: string, durable: boolean): Promise<string> {
  const cluster = join(place.folder, CLUSTER_FOLDER);
  const draft = `${cluster}.draft`;
  rmSync(draft, { recursive: true, force: true });
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    checkVersion(cluster);
    return cluster;
  }
  if (existsSync(cluster)) renameSync(cluster, `${cluster}.broken-${Date.now()}`);
  const passwordFile = join(draft, '..', `${CLUSTER_FOLDER}.${randomBytes(4).toString('hex')}.password`);
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (place.runAs) for (const path of [draft, passwordFile]) chownSync(path, place.runAs.uid, place.runAs.gid);
    await initdb(place, draft, passwordFile, durable);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, cluster);
  return cluster;
}

/** How a program of PostgreSQL is spawned: as its user, without the settings that a `PG…` variable would bring. */
export function programOptions(place: Place) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PG')));
  return { env: { ...env, LC_ALL: 'C' }, cwd: '/', ...place.runAs };
}

function checkVersion(cluster: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === MAJOR_VERSION) return;
  throw new UserFacingError(
    `The database in ${cluster} was made by PostgreSQL ${found} and this Earshot brings ${MAJOR_VERSION}: use the Earshot that made it, or start with EARSHOT_DATA set to another folder.`,
  );
}

function initdb(place: Place, folder: string, passwordFile: string, durable: boolean): Promise<void> {
  const args = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [] : ['--no-sync']),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(join(place.programs, 'bin', 'initdb'), args, {
      ...programOptions(place),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed = (printed + chunk).slice(-8_000);
      });
    }
    child.on('error', (error) => reject(notRunnable(error)));
    child.on('close', (code) => (code === 0 ? resolve() : reject(initdbTrouble(place, printed, code))));
  });
}

function notRunnable(error: Error): UserFacingError {
  return new UserFacingError(
    `The PostgreSQL that comes with the packages does not run on this system (${error.message}): set DATABASE_URL to a PostgreSQL of yours (15 or later), then start again.`,
  );
}

function initdbTrouble(place: Place, printed: string, code: number | null): UserFacingError {
  if (/No space left on device/i.test(printed)) return diskFull(place.folder);
  return new UserFacingError(
    `PostgreSQL could not be set up in ${place.folder} (initdb ended with ${code}): ${lastLines(printed, 3)}`,
  );
}

export function diskFull(folder: string): UserFacingError {
  return new UserFacingError(
    `The disk that holds ${folder} is full: free some space there (1 GB is enough), then start again.`,
  );
}
