import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchResult, median, round } from '../measure.ts';
import { runMetric, type Stopped } from './run-metric.ts';

const TREE = fileURLToPath(new URL('../../..', import.meta.url));
const PAIRS = 3;
/** Below this, one run differs from the next by as much. */
const SLOWER_FROM = 1.1;

const git = (...args: string[]) => execFileSync('git', args, { cwd: TREE, encoding: 'utf8' }).trim();

/**
 * Runs metrics on a commit and on what is here, one after the other and in pairs, with the packages that are installed
 * here. @returns whether none got slower.
 */
export async function compareWith(
  commit: string,
  metrics: readonly string[],
  args: readonly string[],
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const before = join(folder, 'before');
  git('worktree', 'add', '--detach', '--quiet', before, commit);
  try {
    symlinkSync(join(TREE, 'node_modules'), join(before, 'node_modules'));
    let isFine = true;
    for (const metric of metrics) {
      const pairs: [BenchResult | Stopped, BenchResult | Stopped][] = [];
      for (let at = 0; at < PAIRS; at += 1) {
        pairs.push([await runMetric(before, metric, args), await runMetric(TREE, metric, args)]);
      }
      const { line, isSlower } = told(metric, pairs);
      console.log(line);
      isFine &&= !isSlower;
    }
    return isFine;
  } finally {
    git('worktree', 'remove', '--force', before);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What pairs of runs say, of the largest size that both took. */
export function told(
  metric: string,
  pairs: readonly (readonly [BenchResult | Stopped, BenchResult | Stopped])[],
): { line: string; isSlower: boolean } {
  const times = pairs.flatMap(([was, is]) => {
    const [before, now] = [lastOf(was), lastOf(is)];
    return before === null || now === null ? [] : [{ before, now }];
  });
  if (times.length === 0) return { line: `${metric}: one of the two gave no result`, isSlower: true };
  const ratio = round(median(times.map(({ before, now }) => now / before)), 3);
  const isSlower = ratio >= SLOWER_FROM;
  const said = isSlower ? 'SLOWER' : ratio <= 1 / SLOWER_FROM ? 'faster' : 'same';
  const each = times.map(({ before, now }) => `${before} → ${now} ms`).join(', ');
  return { line: `${said} ${metric}: ${ratio} × (${each})`, isSlower };
}

const lastOf = (result: BenchResult | Stopped): number | null =>
  'ours' in result ? (result.ours.at(-1) ?? null) : null;
