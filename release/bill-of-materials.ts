import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.ts';

const FILE = 'earshot.cdx.json';

/** Writes what a production install consists of, from the lock file, as a CycloneDX document. @returns its path. */
export function writeBillOfMaterials(out: string): string {
  const bill = billOf(npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only'));
  const path = join(out, FILE);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`);
  return path;
}

/** Without what differs each time it is made, so that the same lock file gives the same bytes. */
function billOf(written: string): Record<string, unknown> {
  const { serialNumber: _, metadata, ...bill } = JSON.parse(written);
  const { timestamp: __, ...kept } = metadata;
  return { ...bill, metadata: kept };
}
