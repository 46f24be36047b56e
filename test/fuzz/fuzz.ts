import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Json } from '../../src/domain/json.ts';
import { randomFrom } from '../support/random.ts';
import { EXAMPLES, type Example } from './examples.ts';
import { whatIsWrong } from './judge.ts';
import { spoil } from './spoil.ts';

/** Of the processor of this thread: what takes longer is told of, and is no mistake by itself. */
const SLOW_MS = 1_500;
const TELL_EVERY_MS = 60_000;
const FINDS_AT_MOST = 20;
const CASES = new URL('cases.jsonl', import.meta.url);

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 1e6) } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];

if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Use: npm run fuzz -- --minutes 10 --seed 1');
  process.exitCode = 2;
} else {
  console.log(`Payloads, spans and records are spoilt for ${minutes} minutes by seed ${seed}.`);
  process.exitCode = fuzz(minutes * 60_000, randomFrom(seed)) === 0 ? 0 : 1;
}

/** @returns how many ways to go wrong were found. */
function fuzz(forMs: number, random: () => number): number {
  const found = new Set<string>();
  const begun = Date.now();
  let tries = 0;
  let slowest = 0;
  for (let toldAt = begun; Date.now() - begun < forMs && found.size < FINDS_AT_MOST; tries += 1) {
    const example = EXAMPLES[Math.floor(random() * EXAMPLES.length)];
    if (!example) break;
    const payload = spoil(example.payload, random);
    const before = process.threadCpuUsage();
    const wrong = whatIsWrong(example.kind, payload);
    const { user, system } = process.threadCpuUsage(before);
    const tookMs = (user + system) / 1000;
    slowest = Math.max(slowest, tookMs);
    if (wrong !== null) keep(found, wrong, example, payload);
    else if (tookMs > SLOW_MS) keep(found, `takes ${SLOW_MS} ms or more`, example, payload);
    if (Date.now() - toldAt > TELL_EVERY_MS) {
      toldAt = Date.now();
      console.log(`${tries} payloads, ${found.size} finds, the slowest took ${slowest.toFixed(0)} ms`);
    }
  }
  console.log(`${tries} payloads, ${found.size} finds, the slowest took ${slowest.toFixed(0)} ms`);
  return found.size;
}

/** Keeps the first payload of each way to go wrong, as a case that the tests read from then on. */
function keep(found: Set<string>, wrong: string, { name, kind }: Example, payload: Json): void {
  const way = wrong.replaceAll(/\d+/g, '0').slice(0, 120);
  if (found.has(way)) return;
  found.add(way);
  appendFileSync(CASES, `${JSON.stringify({ from: name, seed, kind, wrong, payload })}\n`);
  console.log(`${name}: ${wrong}`);
}
