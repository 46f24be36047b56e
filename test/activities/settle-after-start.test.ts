import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MODULE = new URL('../../src/settle-after-start.ts', import.meta.url).href;

/** What is left of a heap after a moment in which nothing is asked of the process. */
const SCRIPT = `
  import { runInNewContext } from 'node:vm';
  import { settleAfterStart } from ${JSON.stringify(MODULE)};
  let ofTheStart = Array.from({ length: 1_000_000 }, (_, at) => ({ at }));
  ofTheStart = null;
  const before = process.memoryUsage().heapUsed;
  settleAfterStart();
  const seen = runInNewContext('typeof gc');
  setTimeout(() => console.log(JSON.stringify({ before, after: process.memoryUsage().heapUsed, seen })), 3_000);
`;

test('a process collects its heap a moment after its start, and shows no later context how', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], { encoding: 'utf8' });
  const { before, after, seen } = JSON.parse(told) as { before: number; after: number; seen: string };
  expect(after).toBeLessThan(before / 2);
  expect(seen).toBe('undefined');
});
