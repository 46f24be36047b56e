import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** What the servers of a whole run write at most, several times over. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where servers of tests keep their files. A file system in memory where there is one with room: ext4 takes most of a
 * second to make a database's 800 files where as many were deleted a moment ago, as it passes each of their inodes.
 */
export function scratchRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** All places that `scratchRoot` may have named to an earlier run. */
export const SCRATCH_ROOTS: readonly string[] = [IN_MEMORY, tmpdir()];

/** A new folder that other users may pass: as root, PostgreSQL runs as another. */
export function makeScratch(prefix: string, root = scratchRoot()): string {
  const path = mkdtempSync(join(root, prefix));
  chmodSync(path, 0o755);
  return path;
}
