import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchOptions, BenchResult } from './measure.ts';
import { runAll } from './report/all.ts';
import { compareWith } from './report/compare.ts';

interface BenchModule {
  /** In words. */
  GOAL: string;
  run(options: BenchOptions): Promise<BenchResult>;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Files of this folder that are no metrics. */
const HELPERS = new Set(['run', 'measure', 'generator', 'synthetic-calls', 'database', 'data', 'servers']);

const USE = `npm run bench -- <metric> --sizes 10k,100k --rounds 5 --json
npm run bench -- all                          every metric, as a table in docs/performance.md
npm run bench -- all <metric>                 these rows of the table anew
npm run bench -- compare <commit> <metric>    what got slower since a commit`;

/** Runs the named metrics one after the other; lists them when none is named. @returns the process's exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { names, sizes, rounds, json, passed } = readArguments(args);
  const [first, ...others] = names;
  if (first === undefined) {
    for (const name of metrics()) console.log(`${name.padEnd(16)} ${(await load(name)).GOAL}`);
    console.log(`\n${USE}`);
    return 0;
  }
  const commit = first === 'compare' ? others.shift() : undefined;
  const wanted = first === 'compare' ? others : first === 'all' ? everyOr(others) : names;
  const unknown = wanted.find((name) => !metrics().includes(name));
  if (unknown !== undefined || wanted.length === 0) {
    console.error(
      unknown === undefined ? `Use:\n${USE}` : `There is no metric "${unknown}". Metrics: ${metrics().join(', ')}`,
    );
    return 2;
  }
  if (commit !== undefined) return (await compareWith(commit, wanted, passed)) ? 0 : 1;
  if (first === 'all') {
    const goals = await Promise.all(wanted.map(async (name) => ({ name, goal: (await load(name)).GOAL })));
    return (await runAll(goals, passed)) ? 0 : 1;
  }
  let met = true;
  for (const name of wanted) {
    const result = await (await load(name)).run({ sizes, rounds });
    console.log(json ? JSON.stringify(result) : printed(result));
    met &&= result.ok;
  }
  return met ? 0 : 1;
}

const everyOr = (named: string[]) => (named.length > 0 ? named : metrics());

const load = async (name: string) => (await import(new URL(`./${name}.ts`, import.meta.url).href)) as BenchModule;

function metrics(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => !HELPERS.has(name) && !name.includes('.'))
    .sort();
}

function readArguments(args: readonly string[]) {
  const names: string[] = [];
  /** For the processes that run them. */
  const passed: string[] = [];
  let sizes: number[] = [];
  let rounds = 5;
  let json = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--json') json = true;
    else if (arg === '--rounds' || arg === '--sizes') {
      const value = args[(at += 1)] ?? '';
      passed.push(arg, value);
      if (arg === '--rounds') rounds = Number(value) || rounds;
      else sizes = value.split(',').map(readSize);
    } else names.push(arg);
  }
  return { names, sizes, rounds, json, passed };
}

/** `10k` is 10,000 and `1M` a million. */
function readSize(text: string): number {
  const unit = text.at(-1);
  const factor = unit === 'k' ? 1_000 : unit === 'M' ? 1_000_000 : 1;
  return Number(factor === 1 ? text : text.slice(0, -1)) * factor;
}

function printed(result: BenchResult): string {
  const lines = [
    `${result.ok ? 'met   ' : 'MISSED'} ${result.metric}: ratio ${result.ratio.join(' / ')}, exponent ${result.exponent ?? '-'}`,
    `       sizes ${result.sizes.join(', ')}; ours ${result.ours.join(', ')} ms; baseline ${result.baseline.join(', ')} ms`,
    `       ${Object.entries(result.counters)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
  ];
  return [...lines, ...result.misses.map((miss) => `       ${miss}`)].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
