import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyseSet } from './analysed.ts';
import { healthyLines } from './healthy.ts';
import type { Line, Metric } from './line.ts';
import { badEndingLines } from './metrics/bad-endings.ts';
import { callerLines } from './metrics/callers.ts';
import { causeLines } from './metrics/causes.ts';
import { falseSuccessLines } from './metrics/false-success.ts';
import { frictionTurnLines } from './metrics/friction-turn.ts';
import { hearingLines, identificationLines } from './metrics/hearing.ts';
import { honestyLines } from './metrics/honesty.ts';
import { callIntentLines, openIntentLines } from './metrics/intents.ts';
import { outcomeLines } from './metrics/outcome.ts';
import { refusalLines } from './metrics/refusal.ts';
import { stepJudgeLines } from './metrics/step-judge.ts';
import { callSymptomLines, turnSymptomLines } from './metrics/symptoms.ts';
import { timingLines } from './metrics/timing.ts';
import { toolFailureLines } from './metrics/tool-failure.ts';
import { versionLines } from './metrics/versions.ts';

/** What is measured on which set; a metric is one file in `metrics/` and one word here. */
const METRICS: Record<string, readonly Metric[]> = {
  star: [outcomeLines, refusalLines, callIntentLines, callerLines, versionLines],
  betold: [badEndingLines, versionLines],
  tau_airline: [outcomeLines, falseSuccessLines, toolFailureLines, callerLines, honestyLines],
  tau_retail: [outcomeLines, falseSuccessLines, toolFailureLines, causeLines, callerLines, honestyLines],
  eva_progression: [callSymptomLines, toolFailureLines, honestyLines],
  eva_faithfulness: [callSymptomLines, toolFailureLines, honestyLines],
  eva_conciseness: [turnSymptomLines],
  eva_hearing: [hearingLines],
  evi: [identificationLines, callerLines],
  dstc11_intents: [openIntentLines],
  multidogo: [callIntentLines],
  dbdc3: [frictionTurnLines],
  tm4_thumbs: [stepJudgeLines],
  tau2voice: [timingLines],
};

export interface Evaluation {
  lines: Line[];
  /** Sets that the folder does not hold. */
  absent: string[];
}

/** Runs the analyser over the labelled sets of a folder. */
export function evaluate(folder: string): Evaluation {
  const lines: Line[] = [];
  const absent: string[] = [];
  for (const [set, metrics] of Object.entries(METRICS)) {
    const calls = analyseSet(folder, set);
    if (calls === null) absent.push(set);
    else for (const metric of metrics) lines.push(...metric(set, calls));
  }
  return { lines, absent };
}

function main(args: readonly string[]): number {
  const json = args.includes('--json');
  const given = args.find((arg) => !arg.startsWith('--'));
  const folder = resolve(given ?? fileURLToPath(new URL('../../../shared/eval', import.meta.url)));
  const { lines, absent } = existsSync(folder) ? evaluate(folder) : { lines: [], absent: [] };
  if (lines.length === 0) {
    console.error(
      `There are no labelled sets (<set>.dev.jsonl) in ${folder}. Give the folder that holds them: npm run eval -- <folder>`,
    );
    return 2;
  }
  if (json) {
    console.log(JSON.stringify({ lines, absent, healthy: healthyLines(folder) }));
    return 0;
  }
  for (const line of lines) console.log(printed(line));
  const below = lines.filter((line) => line.belowFloor).length;
  console.log(`\n${below} of ${lines.length} figures are below their floor (marked with !).`);
  if (absent.length > 0) console.log(`Not in ${folder}, so not measured: ${absent.join(', ')}.`);
  console.log('\nCodes on healthy calls (more than one call in twenty is marked):');
  for (const row of healthyLines(folder)) {
    console.log(`${row.often ? '!' : ' '} ${row.code.padEnd(40)} ${row.set.padEnd(18)} ${row.calls} of ${row.of}`);
  }
  return 0;
}

function printed(line: Line): string {
  const name = `${line.belowFloor ? '!' : ' '} ${line.metric.padEnd(17)} ${line.set.padEnd(17)} ${line.figure.padEnd(34)}`;
  if (line.ours === null) return `${name} not scored: ${line.notScored}`;
  const range = line.interval === null ? '' : ` [${line.interval.map((value) => value.toFixed(3)).join(', ')}]`;
  const floor = line.floor === null ? '' : `  floor ${line.floor.toFixed(3)}`;
  const published = line.published === null ? '' : `  published ${line.published}`;
  return `${name} ${line.ours.toFixed(3)}${range}${floor}${published}${line.better === 'lower' ? '  (lower is better)' : ''}`;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
