import { execFileSync } from 'node:child_process';
import { ROOT } from '../src/layout.ts';

/** Runs npm in the project. @returns what it printed. */
export const npm = (...args: string[]): string =>
  execFileSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 64e6,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
