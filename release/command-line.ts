import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from '../src/layout.ts';
import { type Bundled, bundledPackages, noticesOf } from './bundled.ts';
import { readManifest } from './settings.ts';
import type { Staged } from './staged.ts';

const OLDEST_NODE = 'node20';

/** The command line alone: plain JavaScript without dependencies, whose commands load what they need when they run. */
export async function stageCommandLine(scope: string): Promise<Staged> {
  const { version, license } = readManifest('package.json');
  const { files, bundled } = await bundle();
  const manifest = {
    name: `${scope}/earshot`,
    version,
    description: 'The command line of Earshot, which finds what goes wrong in the calls of voice agents.',
    license,
    type: 'module',
    bin: { earshot: 'dist/earshot.js' },
    engines: { node: '>=20' },
  };
  return {
    manifest,
    bundled,
    files: new Map([
      ...files,
      ['README.md', readFileSync(join(ROOT, 'release', 'command-line.md'))],
      ['NOTICES.md', Buffer.from(noticesOf(bundled))],
    ]),
  };
}

async function bundle(): Promise<{ files: [string, Buffer][]; bundled: Bundled[] }> {
  const build = await rolldown({
    cwd: ROOT,
    input: { earshot: 'release/entries/earshot.ts' },
    platform: 'node',
    transform: { target: OLDEST_NODE },
  });
  const { output } = await build.generate({ format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
  await build.close();
  const chunks = output.filter((each) => each.type === 'chunk');
  return {
    files: chunks.map(({ fileName, code }) => [`dist/${fileName}`, Buffer.from(code)]),
    bundled: bundledPackages(chunks.flatMap(({ moduleIds }) => moduleIds)),
  };
}
