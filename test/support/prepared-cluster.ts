import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLUSTER_FOLDER, findPlace } from '../../packages/embedded/place.ts';
import { startPostgres } from '../../packages/embedded/postgres.ts';
import { postgresPrograms } from '../../packages/embedded/postgres-programs.ts';
import { migrate } from '../../src/db/migrate.ts';
import { fieldOf } from '../../src/domain/json.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { onceARun } from './once-a-run.ts';

/** Of a whole run; its processes know it by the environment. */
const RUN_FOLDER = 'EARSHOT_TEST_FOLDER';

export function shareRunFolder(folder: string): void {
  process.env[RUN_FOLDER] = folder;
}

/**
 * Puts a migrated cluster without rows into a data folder that has none, as an earlier start would have left it: making
 * one takes some two seconds of processor time. For tests to which the first start is no matter.
 * @returns false where there is none to copy, as outside of a run: then the start makes its own.
 */
export async function layCluster(dataFolder: string): Promise<boolean> {
  const run = process.env[RUN_FOLDER];
  if (run === undefined || process.platform === 'win32') return false;
  const place = findPlace(realpathSync(dataFolder), postgresPrograms());
  if (place.moved) return false;
  const prepared = join(run, 'prepared');
  const made = join(prepared, 'made');
  await onceARun(
    join(prepared, 'lock'),
    () => existsSync(made),
    () => prepare(prepared, made),
  );
  // Its user and modes go along.
  await promisify(execFile)('cp', ['-Rp', join(prepared, CLUSTER_FOLDER), join(place.folder, CLUSTER_FOLDER)]);
  const password = fieldOf(readJson(join(prepared, 'postgres.json')), 'password');
  writeWhole(join(dataFolder, 'postgres.json'), `${JSON.stringify({ port: null, password })}\n`);
  return true;
}

async function prepare(folder: string, made: string): Promise<void> {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const running = await startPostgres({ dataFolder: folder, database: 'earshot', durable: false });
  try {
    await migrate(running.url);
  } finally {
    await running.stop();
  }
  writeFileSync(made, '');
}
