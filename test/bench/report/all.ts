import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../../../src/files.ts';
import type { BenchResult } from '../measure.ts';
import { runMetric, type Stopped } from './run-metric.ts';

const TREE = fileURLToPath(new URL('../../..', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/performance.md', import.meta.url));
const BEGIN = '<!-- npm run bench -- all: begin -->';
const END = '<!-- npm run bench -- all: end -->';

const INTRO =
  'Taken by `npm run bench -- all`; times are medians in milliseconds, one for each size. The load is that of the machine when a metric began: what else ran beside it.';
const COLUMNS = ['metric', 'sizes', 'ours', 'baseline or peer', 'ratio', 'goal', 'met', 'load', 'taken'];

export interface Row {
  metric: string;
  goal: string;
  result: BenchResult | Stopped;
  /** Of the machine when it began: what else ran beside it. */
  load: number;
  /** The day. */
  taken: string;
}

/**
 * Runs metrics at their usual sizes, each row of the table in `docs/performance.md` written as soon as it is taken, so
 * that a run that is broken off keeps what it has. @returns whether all met their goals.
 */
export async function runAll(
  metrics: readonly { name: string; goal: string }[],
  args: readonly string[],
): Promise<boolean> {
  let allMet = true;
  for (const { name, goal } of metrics) {
    const [load, taken] = [loadavg()[0] ?? 0, new Date().toISOString().slice(0, 10)];
    const result = await runMetric(TREE, name, args);
    const met = 'ok' in result && result.ok;
    allMet &&= met;
    console.log(`${met ? 'met   ' : 'MISSED'} ${name}`);
    writeWhole(PAGE, withRow(readFileSync(PAGE, 'utf8'), { metric: name, goal, result, load, taken }), 0o644);
  }
  console.log(`\n${tableOn(readFileSync(PAGE, 'utf8')).join('\n')}`);
  return allMet;
}

/** @returns the page with the row in the place of the one before of its metric. */
export function withRow(page: string, row: Row): string {
  const others = tableOn(page).filter((line) => !line.startsWith(`| ${row.metric} |`));
  const head = [COLUMNS, COLUMNS.map(() => '-')].map((cells) => `| ${cells.join(' | ')} |`);
  const table = [...head, ...[...others.slice(head.length), lineOf(row)].sort()].join('\n');
  return inserted(page, `${INTRO}\n\n${table}`);
}

const tableOn = (page: string): string[] =>
  page
    .slice(Math.max(0, page.indexOf(BEGIN)), Math.max(0, page.indexOf(END)))
    .split('\n')
    .filter((line) => line.startsWith('|'));

function lineOf({ metric, goal, result, load, taken }: Row): string {
  return `| ${[metric, ...cellsOf(result, goal), load.toFixed(1), taken].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function cellsOf(result: BenchResult | Stopped, goal: string): string[] {
  if ('stopped' in result) return ['', '', '', '', goal, `stopped: ${result.stopped}`];
  const { sizes, ours, baseline, ratio, ok, misses, counters } = result;
  const met = ok ? 'met' : `missed: ${misses.join(' ')}`;
  const partial = counters['partial'];
  const compared = typeof partial === 'string' && partial !== 'no' ? `not compared (${partial}); ` : '';
  return [...[sizes, ours, baseline, ratio].map((values) => values.join(', ')), goal, `${compared}${met}`];
}

/** @returns the page with the text in its place; at its end where it has none yet. */
function inserted(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  const block = `${BEGIN}\n${text}\n${END}`;
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n## All metrics\n\n${block}\n`;
  return `${page.slice(0, from)}${block}${page.slice(to + END.length)}`;
}
