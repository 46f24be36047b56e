#!/usr/bin/env node
// The command `earshot`. It runs on whatever Node the machine has, so it is plain JavaScript; the command line itself is
// TypeScript, which the project's own Node runs as it is.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { runUnder } from './under-node.js';

const RUNS_TYPESCRIPT = 24;
const args = process.argv.slice(2);
const [major = 0] = process.versions.node.split('.').map(Number);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else if (args[0] === 'up' && !args.includes('--help')) {
  // Installs what is missing first, as `npm start` does.
  const { launch } = await import('./launch.js');
  await launch('up', args.slice(1));
} else if (major >= RUNS_TYPESCRIPT) {
  module.enableCompileCache?.();
  const { main } = await import('./main.ts');
  const { addMachineCommands } = await import('./machine-commands.ts');
  process.exitCode = await main(process.argv, addMachineCommands);
} else {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (existsSync(node)) {
    runUnder(node, fileURLToPath(import.meta.url), args);
  } else {
    process.stderr.write(
      `From the repository the command line needs Node 24, and this is ${process.versions.node}: run npm start once, which brings one, or use the small package (docs/ci.md), which runs on Node 20.\n`,
    );
    process.exitCode = 4;
  }
}
