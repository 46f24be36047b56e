import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientDocument, generatedHeader } from './client-document.ts';

/** `npm run client-types`: writes `web/client/schema.d.ts` anew from the operations. */
const GENERATOR = fileURLToPath(new URL('../web/client/generator', import.meta.url));
const TYPES = fileURLToPath(new URL('../web/client/schema.d.ts', import.meta.url));

// The generator needs TypeScript 5, so its packages live apart from the project's own.
if (!existsSync(join(GENERATOR, 'node_modules'))) run('npm', ['ci', '--loglevel=error'], GENERATOR);

const folder = mkdtempSync(join(tmpdir(), 'earshot-client-'));
try {
  const document = clientDocument();
  const source = join(folder, 'document.json');
  const made = join(folder, 'schema.d.ts');
  writeFileSync(source, JSON.stringify(document));
  run(process.execPath, [join(GENERATOR, 'node_modules/openapi-typescript/bin/cli.js'), source, '-o', made], GENERATOR);
  const types = readFileSync(made, 'utf8');
  writeFileSync(TYPES, generatedHeader(document, types) + types);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command: string, args: string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`${command} ${args[0] ?? ''} ended with code ${status}.`);
}
