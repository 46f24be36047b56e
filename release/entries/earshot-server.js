#!/usr/bin/env node
// The command of the server's package. It runs on whatever Node the machine has; the server itself needs Node 24, which
// comes along as an optional package.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runUnder } from '../../cli/under-node.js';

const NODE_NEEDED = 24;
const SHOWS_ONLY = ['--help', '-h', '--version', '-V'];

const given = process.argv.slice(2);
const isUp = given[0] === undefined || (given[0].startsWith('-') && !SHOWS_ONLY.includes(given[0]));
const args = isUp ? ['up', ...given] : given;
const [major = 0] = process.versions.node.split('.').map(Number);
const node = major < NODE_NEEDED ? packagedNode() : process.execPath;

if (node === null) {
  process.stderr.write(
    `Earshot's server needs Node ${NODE_NEEDED}, and this is ${process.versions.node}: install it from nodejs.org, or this package without --omit=optional and --ignore-scripts, which brings it along.\n`,
  );
  process.exitCode = 4;
} else if (node !== process.execPath) {
  runUnder(node, fileURLToPath(import.meta.url), args);
} else {
  module.enableCompileCache?.();
  const { main } = await import('../../cli/main.ts');
  const { addServerCommands } = await import('./server-commands.ts');
  process.exitCode = await main([...process.argv.slice(0, 2), ...args], addServerCommands);
}

/** @returns {string | null} */
function packagedNode() {
  try {
    const own = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return existsSync(own) ? own : null;
  } catch {
    return null;
  }
}
