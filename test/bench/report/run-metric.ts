import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { BenchResult } from '../measure.ts';

/** Of one that stopped before it had a result. */
export interface Stopped {
  metric: string;
  stopped: string;
}

/** Runs one metric of a source tree in a process of its own, so that none is measured in the memory of another. */
export async function runMetric(tree: string, metric: string, args: readonly string[]): Promise<BenchResult | Stopped> {
  const child = spawn(process.execPath, [join(tree, 'test', 'bench', 'run.ts'), metric, '--json', ...args], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const line = printed.split('\n').findLast((text) => text.startsWith('{'));
  return line === undefined
    ? { metric, stopped: `ended with ${code} and no result` }
    : (JSON.parse(line) as BenchResult);
}
