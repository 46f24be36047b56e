import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { healthyLines } from './healthy.ts';
import {
  type Analysed,
  analyseSet,
  callerLines,
  falseSuccessLines,
  honestyLines,
  type Line,
  outcomeLines,
  refusalLines,
  toolFailureLines,
} from './metrics.ts';

type Metric = (set: string, calls: readonly Analysed[]) => Line[];

const METRICS: Record<string, readonly Metric[]> = {
  star: [outcomeLines, refusalLines, callerLines],
  tau_airline: [outcomeLines, falseSuccessLines, toolFailureLines, honestyLines],
  tau_retail: [outcomeLines, falseSuccessLines, toolFailureLines, honestyLines],
  eva_progression: [toolFailureLines, honestyLines],
  eva_faithfulness: [toolFailureLines, honestyLines],
};

/** Runs the analyser over the labelled sets of a folder. @returns a line a figure; empty where the folder holds none. */
export function evaluate(folder: string): Line[] {
  return Object.entries(METRICS).flatMap(([set, metrics]) => {
    const calls = analyseSet(folder, set);
    return calls === null ? [] : metrics.flatMap((metric) => metric(set, calls));
  });
}

function main(args: readonly string[]): number {
  const json = args.includes('--json');
  const given = args.find((arg) => !arg.startsWith('--'));
  const folder = resolve(given ?? fileURLToPath(new URL('../../../shared/eval', import.meta.url)));
  const lines = existsSync(folder) ? evaluate(folder) : [];
  if (lines.length === 0) {
    console.error(
      `There are no labelled sets (<set>.dev.jsonl) in ${folder}. Give the folder that holds them: npm run eval -- <folder>`,
    );
    return 2;
  }
  if (json) {
    console.log(JSON.stringify({ lines, healthy: healthyLines(folder) }));
    return 0;
  }
  for (const line of lines) console.log(printed(line));
  console.log('\nCodes on healthy calls (more than one call in twenty is marked):');
  for (const row of healthyLines(folder)) {
    console.log(`${row.often ? '!' : ' '} ${row.code.padEnd(28)} ${row.set.padEnd(18)} ${row.calls} of ${row.of}`);
  }
  return 0;
}

function printed(line: Line): string {
  const range = line.interval === null ? '' : ` [${line.interval.map((value) => value.toFixed(3)).join(', ')}]`;
  const floor = line.floor === null ? '' : `  floor ${line.floor.toFixed(3)}`;
  const name = `${line.metric.padEnd(17)} ${line.set.padEnd(17)} ${line.figure.padEnd(28)}`;
  return `${name} ${line.ours.toFixed(3)}${range}${floor}${line.better === 'lower' ? '  (lower is better)' : ''}`;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
