import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowBundle } from '../activities/workflow-bundle.ts';
import { buildWeb } from '../packages/embedded/web-build.ts';
import { ROOT } from '../src/layout.ts';
import { bundledPackages, noticesOf } from './bundled.ts';
import { isOwnScope, readManifest } from './settings.ts';
import { shrinkwrapOf } from './shrinkwrap.ts';
import type { Staged } from './staged.ts';
import { temporalPackages } from './temporal.ts';

/** Compiled beside what it serves and runs; the same folders as in the repository. */
const DELIVERED = ['web/dist/**', 'web/reference/*', 'temporal-dev.yaml'];

/** @param scope of its name. */
export function serverManifest(scope: string) {
  const project = readManifest('package.json');
  const embedded = readManifest('packages/embedded/package.json');
  return {
    name: `${scope}/earshot-server`,
    version: project.version,
    description: project.description,
    license: project.license,
    type: 'module',
    bin: { 'earshot-server': 'release/entries/earshot-server.js' },
    engines: { node: '>=20' },
    dependencies: project.dependencies,
    // What production leaves out: the servers of the one-machine default, and Node for machines with an older one.
    optionalDependencies: { ...embedded.dependencies, ...project.optionalDependencies },
  };
}

/** The server as JavaScript, with the web app and the workflows built, and the versions of all its packages. */
export async function stageServer(scope: string): Promise<Staged> {
  const locked = serverManifest(scope);
  // Beside what is locked: they are of the same scope, and a registry that does not have them is no hindrance.
  const temporal = isOwnScope(scope) ? temporalPackages(scope) : {};
  const manifest = { ...locked, optionalDependencies: { ...locked.optionalDependencies, ...temporal } };
  await buildWeb();
  const folder = mkdtempSync(join(tmpdir(), 'earshot-server-'));
  try {
    compile(join(folder, 'compiled'));
    const workflows = readFileSync(await workflowBundle(folder));
    const bundled = bundledPackages(modulesOf(workflows.toString()));
    return {
      manifest,
      bundled,
      files: new Map([
        ...filesOf(join(folder, 'compiled'), ['**/*.js']),
        ...filesOf(ROOT, DELIVERED).filter(([path]) => !path.endsWith('.sources')),
        ['workflows/bundle.js', workflows],
        ['workflows/notices.txt', Buffer.from(noticesOf(bundled))],
        ['npm-shrinkwrap.json', Buffer.from(shrinkwrapOf(locked, join(folder, 'lock')))],
        ['README.md', readFileSync(join(ROOT, 'release', 'server.md'))],
      ]),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of a bundle by webpack, which names each of them. */
export const modulesOf = (bundle: string): string[] =>
  [...bundle.matchAll(/^\/\*\*\*\/ "\.\/([^"]+)"/gm)].map(([, path = '']) => join(ROOT, path));

function compile(folder: string): void {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', join(ROOT, 'release'), '--outDir', folder], { stdio: 'inherit' });
}

function filesOf(folder: string, patterns: string[]): [string, Buffer][] {
  const entries = globSync(patterns, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((file) => [file.slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''), readFileSync(file)]);
}
