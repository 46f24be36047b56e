import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../src/layout.ts';

/**
 * The project's lock file, cut down by npm to what the package depends on: who installs it gets the versions that were
 * tested. @param folder is made, and left behind.
 */
export function shrinkwrapOf(manifest: object, folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(ROOT, file), join(folder, file));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return readFileSync(join(folder, 'package-lock.json'), 'utf8');
}
