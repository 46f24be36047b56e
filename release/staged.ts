import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundled } from './bundled.ts';

/** A package before it is packed. */
export interface Staged {
  manifest: { name: string; version: string; bin: Record<string, string> };
  /** By their paths in the package. */
  files: Map<string, Buffer>;
  bundled: Bundled[];
}

/** Writes the package to an empty folder. */
export function writeStaged({ manifest, files }: Staged, folder: string): void {
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const command of Object.values(manifest.bin)) chmodSync(join(folder, command), 0o755);
}
