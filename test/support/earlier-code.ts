import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** What API and worker are made of. */
const PARTS = ['src', 'api', 'activities', 'workflows', 'migrations', 'packages', 'package.json', 'package-lock.json'];

/**
 * Lays out the code before the newest migration was added, over the packages of today.
 * @param folder where to; it is made.
 * @returns its commit; or why that is not possible here, in a sentence.
 */
export async function layOutEarlierCode(folder: string): Promise<{ commit: string } | { why: string }> {
  const commit = await commitBeforeNewestMigration().catch(() => null);
  if (commit === null) return { why: 'there is no history of git to take the code before the newest migration from' };
  mkdirSync(folder);
  const archive = join(folder, 'code.tar');
  await run('git', ['archive', '--format=tar', '-o', archive, commit, ...PARTS], { cwd: PROJECT });
  await run('tar', ['-xf', archive, '-C', folder]);
  const other = otherPackages(folder);
  if (other.length > 0) return { why: `the code of ${commit} needs other packages than today's: ${other.join(', ')}` };
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return { commit };
}

/** Migrations that were taken back before a release are passed over: no database of a release has them. */
async function commitBeforeNewestMigration(): Promise<string> {
  const today = new Set(readdirSync(join(PROJECT, 'migrations')).map((name) => `migrations/${name}`));
  const additions = (await git('log', '--format=%H', '--diff-filter=A', '--', 'migrations')).split('\n');
  for (const added of additions) {
    const before = await git('rev-parse', '--verify', `${added}^`);
    const present = (await git('ls-tree', '--name-only', before, 'migrations/')).split('\n');
    if (present.every((path) => today.has(path))) return before;
  }
  throw new Error('No commit has only migrations of today.');
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: PROJECT })).stdout.trim();
}

/** Those that it runs on and that are not here in just that version. */
function otherPackages(folder: string): string[] {
  const [earlier, now] = [dependenciesOf(folder), dependenciesOf(PROJECT)];
  return Object.keys(earlier).filter((name) => earlier[name] !== now[name]);
}

function dependenciesOf(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
}
