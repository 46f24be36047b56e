import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { fieldOf } from '../../src/domain/json.ts';

/** A disk of its own below a folder, in memory. */
export interface SmallDisk {
  /** Takes all the room that there is. */
  fill(): void;
  /** Gives it back. */
  free(): void;
}

/** @returns null where this user may mount nothing, or the machine has not twice the memory to spare. */
export function mountSmallDisk(folder: string, bytes: number): SmallDisk | null {
  if (freemem() < 2 * bytes) return null;
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder]);
  if (status !== 0) return null;
  const ballast = join(folder, 'ballast');
  return {
    fill: () => fillWith(ballast),
    free: () => rmSync(ballast, { force: true }),
  };
}

function fillWith(file: string): void {
  const descriptor = openSync(file, 'a');
  const zeros = Buffer.alloc(1024 * 1024);
  try {
    for (;;) writeSync(descriptor, zeros);
  } catch (error) {
    if (fieldOf(error, 'code') !== 'ENOSPC') throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Of a folder that is no disk of its own, nothing. */
export function unmountSmallDisk(folder: string): void {
  if (statSync(folder).dev !== statSync(dirname(folder)).dev) spawnSync('umount', ['-l', folder]);
}
