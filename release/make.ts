import { statSync } from 'node:fs';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { stageCommandLine } from './command-line.ts';
import { pack } from './pack.ts';
import { stageServer } from './server.ts';
import { releaseSettings } from './settings.ts';

/** `npm run packages`: the packages as tarballs in `dist`, each with a list of its contents beside it, and a bill of materials. */
const PACKAGES = { 'command-line': stageCommandLine, server: stageServer };

const { scope, out, only } = releaseSettings(process.argv.slice(2));
for (const [name, stage] of Object.entries(PACKAGES)) {
  if (only !== null && only !== name) continue;
  const tarball = pack(await stage(scope), out);
  process.stdout.write(`${tarball}  ${Math.ceil(statSync(tarball).size / 1000)} kB\n`);
}
process.stdout.write(`${writeBillOfMaterials(out)}\n`);
