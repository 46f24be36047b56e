import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const KEEP_BYTES = 20e6;
const TAIL_BYTES = 16_000;

/** Starts a log anew when it has grown large; the one before stays beside it. */
export function rotateLog(file: string): void {
  if (existsSync(file) && statSync(file).size > KEEP_BYTES) renameSync(file, `${file}.1`);
}

/** The end of a log, and how long it is. `from`: only what was written after that size. */
export function tailOf(file: string, from = 0): { text: string; size: number } {
  if (!existsSync(file)) return { text: '', size: 0 };
  const handle = openSync(file, 'r');
  try {
    const { size } = statSync(file);
    const begin = Math.max(from, size - TAIL_BYTES, 0);
    const buffer = Buffer.alloc(Math.max(0, size - begin));
    readSync(handle, buffer, 0, buffer.length, begin);
    return { text: buffer.toString('utf8'), size };
  } finally {
    closeSync(handle);
  }
}
