import { statSync } from 'node:fs';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { stageCommandLine } from './command-line.ts';
import { pack } from './pack.ts';
import { stageServer } from './server.ts';
import { releaseSettings } from './settings.ts';
import type { Staged } from './staged.ts';
import { stageTemporal } from './temporal.ts';

/**
 * `npm run packages`: the packages as tarballs in `dist`, each with a list of its contents beside it, and a bill of
 * materials. Those of the Temporal server, 100 MB, are made where they are asked for: `--only temporal`.
 */
const PACKAGES = { 'command-line': stageCommandLine, server: stageServer };

const { scope, out, only } = releaseSettings(process.argv.slice(2));
for (const [name, stage] of Object.entries(PACKAGES)) {
  if (only !== null && only !== name) continue;
  make(await stage(scope));
}
if (only === 'temporal') for await (const staged of stageTemporal(scope)) make(staged);
process.stdout.write(`${writeBillOfMaterials(out)}\n`);

function make(staged: Staged): void {
  const tarball = pack(staged, out);
  process.stdout.write(`${tarball}  ${Math.ceil(statSync(tarball).size / 1000)} kB\n`);
}
