import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fieldOf } from '../../src/domain/json.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { UserFacingError } from '../../src/user-facing-error.js';

/** Where the cluster lives, where its programs are, and as whom they run. */
export interface Place {
  /** Holds the cluster's folder; writable for whoever runs it. */
  folder: string;
  /** The folder with `bin`, `lib` and `share`. */
  programs: string;
  /** Null when PostgreSQL runs as this very user. */
  runAs: { uid: number; gid: number } | null;
  /** Whether it had to move out of the data folder. */
  moved: boolean;
}

/** The cluster's own folder, inside the place. */
export const CLUSTER_FOLDER = 'postgres';

/** The platform's PostgreSQL as it was installed. */
export interface Programs {
  folder: string;
  version: string;
}

/** PostgreSQL refuses to run as root; the first of these users that exists runs it then. */
const USERS = ['postgres', 'nobody'];

/**
 * PostgreSQL runs in the data folder. As root it runs as another user; where that user cannot pass the folders
 * above, cluster and programs go to `/var/tmp`, so that no permission of the person's own folders has to change.
 */
export function findPlace(dataFolder: string, { folder: programs, version }: Programs): Place {
  if (process.getuid?.() !== 0) return { folder: dataFolder, programs, runAs: null, moved: false };
  const runAs = ownerOfCluster(dataFolder) ?? findUser();
  const noted = notedPlace(dataFolder);
  if (!noted && canUse(runAs, dataFolder, programs)) return { folder: dataFolder, programs, runAs, moved: false };
  const folder = noted ?? movedFolder(dataFolder);
  claimFolder(folder);
  if (!noted && !existsSync(join(dataFolder, 'postgres.json'))) setAside(folder);
  const copy = join(folder, `programs-${version}`);
  copyPrograms(programs, copy);
  if (!canUse(runAs, folder, copy)) {
    throw new UserFacingError(
      `PostgreSQL cannot run as root, and user ${runAs.name} can reach neither ${dataFolder} nor ${folder}: start as another user, or set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
  writeWhole(join(dataFolder, 'place.json'), `${JSON.stringify({ postgres: folder })}\n`, 0o644);
  return { folder, programs: copy, runAs, moved: true };
}

/** Where the cluster of a data folder lies, if not in the folder; null where nothing is noted. */
export function placeNoted(dataFolder: string): string | null {
  const place = fieldOf(readJson(join(dataFolder, 'place.json')), 'postgres');
  return typeof place === 'string' ? place : null;
}

/** Where a cluster of this data folder goes when the folder itself cannot be passed. */
export function movedFolder(dataFolder: string): string {
  return join('/var/tmp', `earshot-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`);
}

function notedPlace(dataFolder: string): string | null {
  // The folder may have been copied or moved with everything in it: then the note names another's place.
  return placeNoted(dataFolder) === movedFolder(dataFolder) ? movedFolder(dataFolder) : null;
}

/** A cluster that another user made goes on as that user's. */
function ownerOfCluster(dataFolder: string): { name: string; uid: number; gid: number } | null {
  const cluster = lstatSync(join(dataFolder, CLUSTER_FOLDER), { throwIfNoEntry: false });
  return cluster && cluster.uid > 0 ? { name: `number ${cluster.uid}`, uid: cluster.uid, gid: cluster.gid } : null;
}

function findUser(): { name: string; uid: number; gid: number } {
  for (const name of USERS) {
    const asked = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
    const [uid, gid] = asked.map((answer) => (answer.status === 0 ? Number(answer.stdout) : Number.NaN));
    if (uid !== undefined && gid !== undefined && uid > 0 && gid > 0) return { name, uid, gid };
  }
  throw new UserFacingError(
    `PostgreSQL cannot run as root, and this machine has neither a user "${USERS.join('" nor "')}": start as another user, or set DATABASE_URL to a PostgreSQL of yours.`,
  );
}

/** Asked as that user, because modes, access lists and mounts all have a say. */
function canUse(runAs: { uid: number; gid: number }, folder: string, programs: string): boolean {
  const asked = spawnSync(
    '/bin/sh',
    [
      '-c',
      'test -x "$1" && test -x "$2" && test -r "$3"',
      'sh',
      folder,
      join(programs, 'bin', 'postgres'),
      join(programs, 'share'),
    ],
    {
      cwd: '/',
      uid: runAs.uid,
      gid: runAs.gid,
      stdio: 'ignore',
    },
  );
  return asked.status === 0;
}

/** In a folder that everyone may write to, another user may have been there first. */
function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
    throw new UserFacingError(`${folder} belongs to somebody else: remove it, or set EARSHOT_DATA to another folder.`);
  }
}

/** The data folder of this cluster was removed, so that everything begins anew: nothing can open the cluster any more. */
function setAside(folder: string): void {
  if (!existsSync(join(folder, CLUSTER_FOLDER))) return;
  rmSync(join(folder, `${CLUSTER_FOLDER}.left`), { recursive: true, force: true });
  renameSync(join(folder, CLUSTER_FOLDER), join(folder, `${CLUSTER_FOLDER}.left`));
}

function copyPrograms(from: string, to: string): void {
  if (existsSync(to)) return;
  const draft = `${to}.${process.pid}.draft`;
  try {
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, to);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
