import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Printer } from '../print.ts';
import { EXIT, Problem } from '../problem.ts';
import { readTestFile } from './read-test-file.ts';
import type { FileProblem, TestFile } from './test-file.ts';

export const DEFAULT_FOLDER = 'tests/earshot';
const IS_TEST = /\.(ya?ml|json)$/i;

export interface FoundFiles {
  files: TestFile[];
  problems: FileProblem[];
}

/** The tests of files and folders, also in folders below, in the order of their names. @throws Problem where there is nothing. */
export async function readTestFiles(paths: string[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], problems: [] };
  for (const path of (await Promise.all(paths.map(filesAt))).flat()) {
    const text = await textOf(path);
    const read = text === null ? [{ path, line: 1, message: NO_TEXT }] : readTestFile(path, text);
    if (Array.isArray(read)) found.problems.push(...read);
    else found.files.push(read);
  }
  return found;
}

const NO_TEXT = 'It can not be read as a text in UTF-8.';

/** Null where it is none: letters that were replaced would be sent as if somebody had written them. */
async function textOf(path: string): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch {
    return null;
  }
}

async function filesAt(path: string): Promise<string[]> {
  const about = await stat(path).catch(() => null);
  if (about === null) throw new Problem(`There is no file or folder ${path}.`);
  if (!about.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => IS_TEST.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

function sayProblems(print: Printer, problems: FileProblem[]): void {
  for (const { path, line, message } of problems) print.note(`${path}:${line}: ${message}`);
}

/** @throws Problem where some file can't be read, once each was named. */
export function refuseProblems(print: Printer, problems: FileProblem[]): void {
  if (problems.length === 0) return;
  sayProblems(print, problems);
  throw new Problem(`Nothing was sent: ${problems.length} problems in the files.`, EXIT.failed);
}

/** Whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  await writeFile(beside, text);
  await rename(beside, path);
}
