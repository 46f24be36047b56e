import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { syntheticCalls } from './synthetic-calls.ts';

export const GOAL = '15 × one JSON.parse of the same calls; 1,000 calls under a second; linear in turns';

const CALLS = 1000;
const TURNS = 20;
const RATIO_AT_MOST = 15;
const EXPONENT_AT_MOST = 1.05;
const MS_AT_MOST = 1000;
/** Calls grow a hundredfold while the number of turns in all stays the same, so that only the growth a call shows. */
const GROWTH_TURNS = [20, 200, 2000];
const TURNS_IN_ALL = 40_000;

/** Metric 23: all detectors on 1,000 calls of 20 turns on one core, beside one parse of the same JSON. */
export async function run(options: BenchOptions): Promise<BenchResult> {
  const calls = syntheticCalls(CALLS, TURNS);
  const texts = calls.map((call) => JSON.stringify(call));
  for (let warm = 0; warm < 3; warm += 1) {
    analyse(calls);
    parse(texts);
  }
  const ours: number[] = [];
  const baseline: number[] = [];
  for (let at = 0; at < options.rounds; at += 1) {
    ours.push(timed(() => analyse(calls)));
    baseline.push(timed(() => parse(texts)));
  }
  const ratio = ours.map((ms, at) => round(ms / (baseline[at] ?? Number.NaN), 2));
  const perCall = GROWTH_TURNS.map((turns) => msPerCall(turns, options.rounds));
  const exponent = exponentOf(GROWTH_TURNS, perCall);
  const misses: string[] = [];
  if (!isSameAgain(calls)) misses.push('The same call gave two different analyses.');
  if (median(ratio) > RATIO_AT_MOST) misses.push(`The ratio ${median(ratio)} is above ${RATIO_AT_MOST}.`);
  if (exponent === null || exponent > EXPONENT_AT_MOST)
    misses.push(`The exponent ${exponent} is above ${EXPONENT_AT_MOST}.`);
  if (median(ours) > MS_AT_MOST)
    misses.push(`1,000 calls took ${round(median(ours), 0)} ms, more than ${MS_AT_MOST} ms.`);
  return {
    metric: 'detectors',
    sizes: GROWTH_TURNS,
    ours: perCall.map((ms) => round(ms, 3)),
    baseline: [round(median(baseline), 2)],
    ratio: [median(ratio), Math.min(...ratio), Math.max(...ratio)],
    exponent,
    counters: {
      calls: CALLS,
      turns: TURNS,
      msForThousandCalls: round(median(ours), 1),
      parseMs: round(median(baseline), 1),
    },
    ok: misses.length === 0,
    misses,
  };
}

function analyse(calls: readonly NormalisedCall[]): number {
  let signals = 0;
  for (const call of calls) signals += analyseCall({ call, configuration: null }, {}).signals.length;
  return signals;
}

function parse(texts: readonly string[]): number {
  let turns = 0;
  for (const text of texts) turns += (JSON.parse(text) as NormalisedCall).turns.length;
  return turns;
}

/** The correctness gate: a call alone, the same call again, and one that went through JSON give the same analysis. */
function isSameAgain(calls: readonly NormalisedCall[]): boolean {
  return calls.slice(0, 100).every((call) => {
    const first = JSON.stringify(analyseCall({ call, configuration: null }, {}));
    const copy = JSON.parse(JSON.stringify(call)) as NormalisedCall;
    return first === JSON.stringify(analyseCall({ call: copy, configuration: null }, {}));
  });
}

function msPerCall(turns: number, rounds: number): number {
  const count = Math.max(1, Math.round(TURNS_IN_ALL / turns));
  const calls = syntheticCalls(count, turns);
  analyse(calls);
  // The fastest of some rounds: growth is a property of the code, and other work on the machine only adds to it.
  return Math.min(...Array.from({ length: Math.max(3, rounds) }, () => timed(() => analyse(calls)) / count));
}

function timed(work: () => number): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
