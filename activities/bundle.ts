import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Everything that workflow code may import, so everything that can change the bundle. */
const SOURCES = ['workflows', 'src/domain', 'src/durable'];
const KEPT = 3;

/**
 * Path of the workflow bundle of this very code. It is made once, in a child process, because the bundler keeps a
 * hundred megabytes that a worker has no use for; later starts find it under its digest.
 */
export async function ensureWorkflowBundle(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, 'bundles');
  const path = join(folder, `${await digestOfSources()}.js`);
  if (await exists(path)) return path;
  await mkdir(folder, { recursive: true });
  await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), path], { maxBuffer: 16 * 1024 * 1024 });
  await removeOldBundles(folder, path);
  return path;
}

/** Bundles in this process. The name appears only once the bundle is whole. */
export async function writeWorkflowBundle(path: string): Promise<void> {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows/index.ts'),
    logger: { log: () => {}, trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: console.error },
  });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, path);
}

async function digestOfSources(): Promise<string> {
  const { version } = createRequire(import.meta.url)('@temporalio/workflow/package.json') as { version: string };
  const hash = createHash('sha256').update(`${version}\n`);
  for (const source of SOURCES) {
    const names = (await readdir(join(ROOT, source), { recursive: true }))
      .filter((name) => name.endsWith('.ts'))
      .sort();
    for (const name of names) hash.update(`${source}/${name}\n`).update(await readFile(join(ROOT, source, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function removeOldBundles(folder: string, current: string): Promise<void> {
  const others = (await readdir(folder)).map((name) => join(folder, name)).filter((path) => path !== current);
  for (const path of others.slice(0, Math.max(0, others.length - KEPT + 1))) await rm(path, { force: true });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const [, script, target] = process.argv;
if (script === fileURLToPath(import.meta.url) && target !== undefined) await writeWorkflowBundle(target);
