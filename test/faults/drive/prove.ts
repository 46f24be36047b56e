import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../../../src/layout.ts';
import { killAtExit } from '../../support/kill-at-exit.ts';
import { openTestFolder } from '../../support/test-folder.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const MINUTES = '0.4';
const SEED = '7';
const LINES_SHOWN = 8;
const WHOLE = 'is whole';
const LEFT_OUT = new Set(['.git', '.earshot', 'dist', 'docs', 'node_modules', 'web']);

/**
 * Breaks the product in one way after the other, each in a copy of it, and has things break under customers at work
 * there; before, in a copy that is whole, where nothing may be noticed.
 * @param wanted a part of what the product does; all of them where it is empty.
 * @returns whether the checker noticed each, and nothing else.
 */
export async function prove(wanted: string): Promise<boolean> {
  let isProved = !WHOLE.includes(wanted) || (await isQuietWhereWhole());
  for (const mutant of MUTANTS.filter(({ does }) => does.includes(wanted))) {
    const isNoticed = await notices(mutant);
    isProved &&= isNoticed;
  }
  return isProved;
}

async function isQuietWhereWhole(): Promise<boolean> {
  const said = await driveCopy(null);
  const isQuiet = said.includes('All of them hold.');
  console.log(`${isQuiet ? 'quiet' : 'NOT QUIET'}: a product that ${WHOLE}`);
  if (!isQuiet) tell(lastOf(said));
  return isQuiet;
}

async function notices(mutant: Mutant): Promise<boolean> {
  const said = await driveCopy(mutant);
  const isNoticed = said.includes(`BROKEN ${mutant.breaks}`);
  console.log(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: a product that ${mutant.does}`);
  tell(isNoticed ? evidenceIn(said, mutant) : lastOf(said));
  return isNoticed;
}

/** @returns the file as it is broken. @throws where the place is not there, or not there alone. */
export function broken({ file, find, replace }: Mutant): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}

/** @returns all that the run said. */
async function driveCopy(mutant: Mutant | null): Promise<string> {
  const folder = openTestFolder();
  try {
    const copy = join(folder.path, 'product');
    cpSync(ROOT, copy, { recursive: true, filter: (from) => !LEFT_OUT.has(relative(ROOT, from).split(sep)[0] ?? '') });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    if (mutant) writeFileSync(join(copy, mutant.file), broken(mutant));
    const faults = mutant?.only ? ['--only', mutant.only.join(',')] : [];
    return await run(copy, ['--minutes', MINUTES, '--seed', SEED, '--hurried', ...faults]);
  } finally {
    folder.remove();
  }
}

function run(copy: string, args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['test/faults/drive/run.ts', ...args], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // Not at once: it has children of its own to end.
  killAtExit(child, 'SIGTERM');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once('close', () => resolve(said)));
}

/** The first of what spoke against the invariant. */
function evidenceIn(said: string, { breaks }: Mutant): string[] {
  const lines = said.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`BROKEN ${breaks}`));
  return lines.slice(at, at + 2).map((line) => line.trim());
}

const lastOf = (said: string): string[] => said.trimEnd().split('\n').slice(-LINES_SHOWN);

function tell(lines: string[]): void {
  for (const line of lines) console.log(`  ${line}`);
}
