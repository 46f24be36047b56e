import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT, Problem } from '../problem.ts';

/** Where the result shall be written; `-` is standard output. */
export interface OutcomeFiles {
  document?: string;
  junit?: string;
  markdown?: string;
}

const STANDARD_OUTPUT = '-';

/** Whether standard output belongs to a file, so that nothing else may be written there. */
export const takesStandardOutput = (files: OutcomeFiles) =>
  [files.document, files.junit, files.markdown].includes(STANDARD_OUTPUT);

/** @throws Problem before anything is spent: two results in one place would make neither readable. */
export function checkFiles({ document, junit, markdown }: OutcomeFiles, json: boolean): void {
  const given = [document, junit, markdown].filter((path) => path !== undefined);
  const isTwice = new Set(given).size < given.length || (json && given.includes(STANDARD_OUTPUT));
  if (isTwice) throw new Problem('--document, --junit, --markdown and --json need a place each.');
}

export async function writeOutcome(path: string, content: Uint8Array | string): Promise<void> {
  if (path === STANDARD_OUTPUT) {
    process.stdout.write(content);
    return;
  }
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Problem(`${path} could not be written. (${reason})`, EXIT.unusable);
  }
}
