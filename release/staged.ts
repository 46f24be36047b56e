import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bundled } from './bundled.ts';

/** A package before it is packed. */
export interface Staged {
  manifest: { name: string; version: string; bin: Record<string, string>; [field: string]: unknown };
  /** By their paths in the package. */
  files: Map<string, Buffer>;
  bundled: Bundled[];
  /** Files that run, beside the commands of the manifest. */
  programs?: string[];
}

/** Writes the package to an empty folder. */
export function writeStaged({ manifest, files, programs = [] }: Staged, folder: string): void {
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const command of [...Object.values(manifest.bin), ...programs]) chmodSync(join(folder, command), 0o755);
}
