import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { movedFolder } from '../../packages/embedded/place.ts';
import { stopPostgres } from '../../packages/embedded/postgres.ts';
import { isStillRunning, markProcess, type ProcessMark } from '../../packages/embedded/processes.js';
import { stopTemporal } from '../../packages/embedded/temporal.ts';
import { readJson, writeWhole } from '../../src/files.ts';

const PREFIX = 'earshot-test-';

export interface TestFolder {
  path: string;
  remove(): void;
}

/** A folder for the servers of one run. */
export function openTestFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), PREFIX));
  // As root, PostgreSQL runs as another user, who must be able to pass.
  chmodSync(path, 0o755);
  mkdirSync(join(path, 'logs'));
  writeWhole(join(path, 'owner.json'), JSON.stringify(markProcess(process.pid)));
  return { path, remove: () => removeFolder(path) };
}

/** Ends and removes what runs that were killed have left behind. */
export async function sweepTestFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    const owner = readJson(join(path, 'owner.json')) as ProcessMark | null;
    if (!name.startsWith(PREFIX) || owner === null || isStillRunning(owner)) continue;
    await stopTemporal(path);
    await stopPostgres(path);
    removeFolder(path);
  }
}

function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
  const moved = movedFolder(path);
  if (existsSync(moved)) rmSync(moved, { recursive: true, force: true });
}
