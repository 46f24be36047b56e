import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../../../src/files.ts';
import type { BenchResult } from '../measure.ts';
import { runMetric, type Stopped } from './run-metric.ts';

const TREE = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));
const BEGIN = '<!-- npm run bench -- all: begin -->';
const END = '<!-- npm run bench -- all: end -->';

export interface Row {
  metric: string;
  goal: string;
  result: BenchResult | Stopped;
  /** Of the machine when it began: what else ran beside it. */
  load: number;
}

/** Runs every metric at its usual sizes and writes them as one table into `docs/performance.md`. @returns whether all met their goals. */
export async function runAll(
  metrics: readonly { name: string; goal: string }[],
  args: readonly string[],
): Promise<boolean> {
  const rows: Row[] = [];
  for (const { name, goal } of metrics) {
    const load = loadavg()[0] ?? 0;
    const result = await runMetric(TREE, name, args);
    rows.push({ metric: name, goal, result, load });
    console.log(`${'ok' in result && result.ok ? 'met   ' : 'MISSED'} ${name}`);
  }
  const table = tableOf(rows);
  console.log(`\n${table}`);
  const page = readFileSync(PAGE, 'utf8');
  writeWhole(PAGE, inserted(page, `${headOf(new Date())}\n\n${table}`), 0o644);
  return rows.every(({ result }) => 'ok' in result && result.ok);
}

const headOf = (now: Date) =>
  `Taken on ${now.toISOString().slice(0, 10)} on ${cpus().length} processors by \`npm run bench -- all\`; times are medians in milliseconds, one for each size.`;

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ metric, goal, result, load }) => {
    if ('stopped' in result) return [metric, '', '', '', '', goal, `stopped: ${result.stopped}`, load.toFixed(1)];
    const { sizes, ours, baseline, ratio, ok, misses, counters } = result;
    const met = ok ? 'met' : `missed: ${misses.join(' ')}`;
    const partial = typeof counters['partial'] === 'string' && counters['partial'] !== 'no' ? `partial; ${met}` : met;
    return [
      metric,
      ...[sizes, ours, baseline, ratio].map((values) => values.join(', ')),
      goal,
      partial,
      load.toFixed(1),
    ];
  });
  const head = ['metric', 'sizes', 'ours', 'baseline or peer', 'ratio', 'goal', 'met', 'load'];
  return [head, head.map(() => '-'), ...lines]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** @returns the page with the table in its place; at its end where it has none yet. */
export function inserted(page: string, table: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  const block = `${BEGIN}\n${table}\n${END}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n## All metrics\n\n${block}\n`;
  return `${page.slice(0, from)}${block}${page.slice(to + END.length)}`;
}
