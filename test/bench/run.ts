import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchOptions, BenchResult } from './measure.ts';

interface BenchModule {
  run(options: BenchOptions): Promise<BenchResult>;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Files of this folder that are no metrics. */
const HELPERS = new Set(['run', 'measure', 'generator', 'synthetic-calls', 'database', 'data', 'servers']);

/** Runs the named metrics one after the other; lists them when none is named. @returns the process's exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { names, sizes, rounds, json } = readArguments(args);
  const known = metrics();
  if (names.length === 0) {
    console.log(
      `Metrics: ${known.join(', ')}\nRun one with: npm run bench -- <metric> --sizes 10k,100k --rounds 5 --json`,
    );
    return 0;
  }
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`There is no metric "${unknown}". Metrics: ${known.join(', ')}`);
    return 2;
  }
  let met = true;
  for (const name of names) {
    const module = (await import(new URL(`./${name}.ts`, import.meta.url).href)) as BenchModule;
    const result = await module.run({ sizes, rounds });
    console.log(json ? JSON.stringify(result) : printed(result));
    met &&= result.ok;
  }
  return met ? 0 : 1;
}

function metrics(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .filter((name) => !HELPERS.has(name) && !name.includes('.'))
    .sort();
}

function readArguments(args: readonly string[]) {
  const names: string[] = [];
  let sizes: number[] = [];
  let rounds = 5;
  let json = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--json') json = true;
    else if (arg === '--rounds') rounds = Number(args[(at += 1)] ?? rounds);
    else if (arg === '--sizes') sizes = (args[(at += 1)] ?? '').split(',').map(readSize);
    else names.push(arg);
  }
  return { names, sizes, rounds, json };
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
