import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fieldOf } from '../../src/domain/json.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { fileTrouble, UserFacingError } from '../../src/user-facing-error.js';

/** Raised when an older Earshot could no longer read what this one writes under `.earshot/`. */
const DATA_LAYOUT = 1;
/** A cluster, its write-ahead log and the first calls. */
const LEAST_FREE_BYTES = 200e6;

/**
 * Makes the data folder usable, or says in a sentence why it is not.
 * @throws UserFacingError when it cannot be written, or was made by a newer Earshot.
 */
export function openDataFolder(folder: string, version: string): void {
  const file = join(folder, 'version');
  try {
    makeFolder(folder);
    makeFolder(join(folder, 'logs'));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    requireSpace(folder);
    const found = readJson(file);
    const madeBy = fieldOf(found, 'version');
    if (Number(fieldOf(found, 'layout')) > DATA_LAYOUT) {
      throw new UserFacingError(
        `The data in ${folder} was made by a newer Earshot (${String(madeBy)}; this is ${version}): update the project, or start with EARSHOT_DATA set to another folder.`,
      );
    }
    if (madeBy !== version) {
      writeWhole(file, `${JSON.stringify({ layout: DATA_LAYOUT, version })}\n`, 0o644);
    }
  } catch (error) {
    throw fileTrouble(error, folder) ?? error;
  }
}

/** Made level by level: the recursive form names the wrong reason on a read-only file system. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function requireSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= LEAST_FREE_BYTES) return;
  throw new UserFacingError(
    `The disk that holds ${folder} is full (${Math.floor(free / 1e6)} MB left, and the servers need ${LEAST_FREE_BYTES / 1e6} MB to start): free some space there, then start again.`,
  );
}

/**
 * The secret of the embedded default, made at the first start.
 * @throws UserFacingError when it is gone although there is data that was sealed under it.
 */
export function embeddedSecret(folder: string, hasData: boolean): string {
  const file = join(folder, 'secret');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (hasData) {
    throw new UserFacingError(
      `${file} is missing, and what is stored encrypted cannot be read without it: put the file back (or set EARSHOT_SECRET to what it held), or move ${folder} away to start anew.`,
    );
  }
  const secret = randomBytes(32).toString('base64url');
  writeWhole(file, `${secret}\n`);
  return secret;
}
