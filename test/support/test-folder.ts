import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { movedFolder } from '../../packages/embedded/place.ts';
import { stopPostgres } from '../../packages/embedded/postgres.ts';
import { isStillRunning, markProcess, type ProcessMark } from '../../packages/embedded/processes.js';
import { stopTemporal } from '../../packages/embedded/temporal.ts';
import { readJson, writeWhole } from '../../src/files.ts';
import { makeScratch, SCRATCH_ROOTS, scratchRoot } from './scratch.ts';
import { mountSmallDisk, type SmallDisk, unmountSmallDisk } from './small-disk.ts';

const PREFIX = 'earshot-test-';

export interface TestFolder {
  path: string;
  /** The folder is a disk of its own; null where that was not asked for or is not possible here. */
  disk: SmallDisk | null;
  remove(): void;
}

/** A folder for the servers of one run. @param onDisk as in production; or on a disk of its own of so many bytes, where one can be mounted. */
export function openTestFolder(onDisk: boolean | number = false): TestFolder {
  const path = makeScratch(PREFIX, onDisk === false ? scratchRoot() : tmpdir());
  const disk = typeof onDisk === 'number' ? mountSmallDisk(path, onDisk) : null;
  mkdirSync(join(path, 'logs'));
  writeWhole(join(path, 'owner.json'), JSON.stringify(markProcess(process.pid)));
  return { path, disk, remove: () => removeFolder(path) };
}

/** Ends and removes what runs that were killed have left behind. */
export async function sweepTestFolders(): Promise<void> {
  const namesIn = (root: string) => readdirSync(root).filter((name) => name.startsWith(PREFIX));
  const paths = SCRATCH_ROOTS.filter(existsSync).flatMap((root) => namesIn(root).map((name) => join(root, name)));
  for (const path of paths) {
    const owner = readJson(join(path, 'owner.json')) as ProcessMark | null;
    if (owner === null || isStillRunning(owner)) continue;
    await stopTemporal(path);
    await stopPostgres(path);
    removeFolder(path);
  }
}

function removeFolder(path: string): void {
  unmountSmallDisk(path);
  rmSync(path, { recursive: true, force: true });
  const moved = movedFolder(path);
  if (existsSync(moved)) rmSync(moved, { recursive: true, force: true });
}
