import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeMoves } from '../print.ts';
import { orProblem } from '../runs/outcome-files.ts';

export interface WriteOptions {
  /** Instead of standard output. */
  output?: string;
  /** As they come, byte for byte; otherwise a terminal may be what reads them. */
  raw?: boolean;
}

/** Lines of JSON, as they come, to a file or, without one, to standard output. */
export async function writeLines(lines: Readable, { output, raw }: WriteOptions): Promise<void> {
  const written = raw ? lines : lines.map(escaping());
  if (output === undefined) await pipeline(written, process.stdout, { end: false });
  else await orProblem(output, () => pipeline(written, createWriteStream(output)));
}

/** A piece may end within a character; the last one of JSON lines ends with a line. */
function escaping(): (piece: string | Uint8Array) => string {
  const decoder = new TextDecoder();
  return (piece) => escapeMoves(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
}
