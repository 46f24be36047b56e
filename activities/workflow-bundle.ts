import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { IS_PACKAGED, moduleFile, ROOT } from '../src/layout.ts';
import { lastLines, UserFacingError } from '../src/user-facing-error.js';

export const WORKFLOWS_ENTRY = moduleFile('workflows/index');
export const INTERCEPTORS_ENTRY = moduleFile('workflows/trace');
/** What a package brings along: it has no sources to bundle. */
const DELIVERED = join(ROOT, 'workflows', 'bundle.js');
/** All that a bundle is made of: the rooms that workflows may import, and the packages. */
const SOURCES = ['workflows/**/*.ts', 'src/domain/**/*.ts', 'src/temporal/**/*.ts', 'package-lock.json'];
const KEEP = 3;

/**
 * The bundled workflow code as a file, made once per state of the sources, so that a worker starts without webpack
 * (about a second and a hundred megabytes).
 * @param signal ends the making of it.
 * @returns the file for `EARSHOT_WORKFLOW_BUNDLE`.
 */
export async function workflowBundle(dataFolder: string, signal?: AbortSignal): Promise<string> {
  if (IS_PACKAGED) return DELIVERED;
  const folder = join(dataFolder, 'bundles');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${sourcesDigest()}.js`);
  if (!existsSync(file)) {
    await makeBundle(file, signal);
    removeOld(folder);
  }
  return file;
}

function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const name of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(ROOT, name)));
  }
  return hash.digest('hex').slice(0, 20);
}

function makeBundle(file: string, signal: AbortSignal | undefined): Promise<void> {
  const entry = moduleFile('activities/bundle-workflows');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, file], { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      printed = (printed + chunk).slice(-8_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new UserFacingError(`The workflows could not be bundled:\n${lastLines(printed, 8)}`));
    });
  });
}

function removeOld(folder: string): void {
  const newestFirst = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const file of newestFirst.slice(KEEP)) rmSync(file, { force: true });
}
