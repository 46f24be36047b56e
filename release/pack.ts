import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../src/layout.ts';
import { npm } from './npm.ts';
import { type Staged, writeStaged } from './staged.ts';

/** What lies beside a tarball: where it comes from, and every file of it. */
interface Contents {
  name: string;
  version: string;
  tarball: string;
  sha256: string;
  /** Of the sources; `dirty` where files were changed since. Null outside a repository. */
  commit: string | null;
  /** The same sources give the same bytes under the same programs. */
  madeWith: Record<string, string>;
  bundled: { name: string; version: string; license: string }[];
  files: { path: string; bytes: number; sha256: string }[];
}

/** Packs by `npm pack`, which leaves out times and owners. @returns the tarball. */
export function pack(staged: Staged, out: string): string {
  mkdirSync(out, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'earshot-package-'));
  try {
    writeStaged(staged, folder);
    const [packed] = JSON.parse(npm('pack', folder, '--pack-destination', out, '--json', '--ignore-scripts'));
    const tarball = join(out, packed.filename);
    const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
    const list = JSON.stringify(contentsOf(staged, folder, tarball, paths), null, 2);
    writeFileSync(tarball.replace(/\.tgz$/, '.contents.json'), `${list}\n`);
    return tarball;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentsOf({ manifest, bundled }: Staged, folder: string, tarball: string, paths: string[]): Contents {
  return {
    name: manifest.name,
    version: manifest.version,
    tarball: tarball.slice(tarball.lastIndexOf('/') + 1),
    sha256: sha256(readFileSync(tarball)),
    commit: commit(),
    madeWith: { node: process.versions.node, npm: npm('--version').trim() },
    bundled: bundled.map(({ name, version, license }) => ({ name, version, license })),
    files: paths.sort().map((path) => {
      const bytes = readFileSync(join(folder, path));
      return { path, bytes: bytes.length, sha256: sha256(bytes) };
    }),
  };
}

function commit(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--abbrev=40', '--dirty', '--exclude=*'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
