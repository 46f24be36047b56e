import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson } from '../src/files.ts';
import type { RunSummary } from './support/summary-reporter.ts';
import { sweepTestFolders } from './support/test-folder.ts';

/**
 * `npm test` and, with `--faults`, `npm run test:faults`: runs vitest with the arguments that it is given, ends what the run
 * started, and counts it in one line. Who names files gets them whichever of the two they belong to.
 */
const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(PROJECT, 'node_modules', 'vitest', 'vitest.mjs');
const REPORTERS = ['--reporter=default', `--reporter=${join(PROJECT, 'test', 'support', 'summary-reporter.ts')}`];
const SKIP_LINE = /^Tests that need .*$/gm;

const folder = mkdtempSync(join(tmpdir(), 'earshot-summary-'));
const file = join(folder, 'summary.json');
await sweepTestFolders();
const args = process.argv.slice(2);
const isFaults = args[0] === '--faults';
const part = isFaults ? 'faults' : args.length === 0 ? 'quick' : 'all';
const { code, said } = await runVitest(isFaults ? args.slice(1) : args, part);
await sweepTestFolders();
const summary = readJson(file) as RunSummary | null;
rmSync(folder, { recursive: true, force: true });

if (!summary) {
  process.stdout.write('Failed test: the run ended before it could be counted.\n0 passed, 1 failed, 0 skipped\n');
  process.exit(code || 1);
}
for (const line of new Set(said.match(SKIP_LINE))) process.stdout.write(`${line}\n`);
for (const { file: name, tests, why } of summary.skips) {
  process.stdout.write(`Skipped ${tests} in ${name}${why ? `: ${why}` : ''}\n`);
}
for (const failure of summary.failures) process.stdout.write(`Failed test: ${failure}\n`);
process.stdout.write(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped\n`);
process.exit(code || (summary.failed > 0 ? 1 : 0));

function runVitest(args: string[], part: 'quick' | 'faults' | 'all'): Promise<{ code: number; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [VITEST, 'run', ...REPORTERS, ...args], {
      cwd: PROJECT,
      env: { ...process.env, EARSHOT_TEST_SUMMARY: file, EARSHOT_TESTS: part },
      stdio: ['inherit', 'inherit', 'pipe'],
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      printed = (printed + chunk).slice(-20_000);
    });
    child.on('error', reject);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
    process.on('disconnect', () => child.kill('SIGTERM'));
    child.on('close', (ended) => resolve({ code: ended ?? 1, said: printed }));
  });
}
