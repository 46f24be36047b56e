import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { orProblem } from '../runs/outcome-files.ts';

/** As they come, to a file or, without one, to standard output. */
export async function writeLines(lines: Readable, output: string | undefined): Promise<void> {
  if (output === undefined) await pipeline(lines, process.stdout, { end: false });
  else await orProblem(output, () => pipeline(lines, createWriteStream(output)));
}
