import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT, Problem } from '../problem.ts';
import { DEFAULT_FOLDER } from '../tests/read-files.ts';

/** Where the result shall be written; `-` is standard output. */
export interface OutcomeFiles {
  document?: string;
  junit?: string;
  markdown?: string;
  /** SARIF, whose places are lines of the test files in `dir`. */
  sarif?: string;
  dir?: string;
}

const STANDARD_OUTPUT = '-';

/** Whether standard output belongs to a file, so that nothing else may be written there. */
export const takesStandardOutput = (files: OutcomeFiles) =>
  [files.document, files.junit, files.markdown, files.sarif].includes(STANDARD_OUTPUT);

/** @throws Problem before anything is spent: for two results in one place, or a place that can't be written. */
export async function checkFiles(files: OutcomeFiles, json: boolean): Promise<void> {
  const { document, junit, markdown, sarif, dir = DEFAULT_FOLDER } = files;
  const given = [document, junit, markdown, sarif].filter((path) => path !== undefined);
  const isTwice = new Set(given).size < given.length || (json && given.includes(STANDARD_OUTPUT));
  if (isTwice) throw new Problem('--document, --junit, --markdown, --sarif and --json need a place each.');
  const hasTests = sarif === undefined || (await stat(dir).catch(() => null))?.isDirectory();
  if (!hasTests) throw new Problem(`${dir} is no folder, and --sarif shows results on the lines of the files there.`);
  for (const path of given.filter((one) => one !== STANDARD_OUTPUT)) {
    await orProblem(path, async () => {
      await mkdir(dirname(path), { recursive: true });
      await access(dirname(path), constants.W_OK);
      if ((await stat(path).catch(() => null))?.isDirectory()) throw new Error('it is a folder');
    });
  }
}

export async function writeOutcome(path: string, content: Uint8Array | string): Promise<void> {
  if (path === STANDARD_OUTPUT) process.stdout.write(content);
  else await orProblem(path, () => writeFile(path, content));
}

/** Says of what happens at a file which one it was; what is a problem already stays as it is. */
export async function orProblem(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new Problem(`${path} can not be written. (${reason})`, EXIT.unusable);
  }
}
