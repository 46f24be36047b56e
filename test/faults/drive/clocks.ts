import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../../packages/embedded/processes.js';
import { openTestFolder } from '../../support/test-folder.ts';

/** Where packages put libfaketime, by which programs that are linked dynamically read another time; a path of one's own goes first. */
const LIBRARIES = [
  process.env['FAKETIME_LIBRARY'] ?? '',
  ...['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`),
  '/usr/lib64/faketime/libfaketimeMT.so.1',
];

const SHARED_MEMORY = '/dev/shm';

/** Clocks of processes that can be set apart from that of the machine. */
export interface Clocks {
  /** For the environment of a process whose clock is called so. */
  environment(name: string): Record<string, string>;
  /** How far ahead of the machine's it is from now on, or behind where it is negative. */
  set(name: string, seconds: number): void;
  close(): void;
}

/** @returns null where this machine has no libfaketime. */
export function openClocks(): Clocks | null {
  const library = LIBRARIES.find((path) => path !== '' && existsSync(path));
  if (library === undefined) return null;
  const folder = openTestFolder();
  // PostgreSQL runs as a user of its own where this process is root.
  chmodSync(folder.path, 0o755);
  const fileOf = (name: string) => join(folder.path, name.replaceAll(' ', '-'));
  const set = (name: string, seconds: number) =>
    writeFileSync(fileOf(name), `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 });
  return {
    environment(name) {
      set(name, 0);
      return {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: fileOf(name),
        FAKETIME_CACHE_DURATION: '1',
        // As on a machine whose clock is set: what measures how long something takes goes on.
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
    },
    set,
    close() {
      folder.remove();
      removeLeftMemory();
    },
  };
}

/** What the library keeps in memory for each process stays behind where that is killed. */
function removeLeftMemory(): void {
  for (const name of readdirSync(SHARED_MEMORY)) {
    const pid = /^(?:sem\.)?faketime_(?:shm|sem)_(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(SHARED_MEMORY, name), { force: true });
  }
}
