import { type BenchOptions, type BenchResult, median, round } from './measure.ts';
import { playRun, storedRun } from './runs/play.ts';
import { NOT_INSTALLED, playWithPromptfoo, promptfooProgram } from './runs/promptfoo.ts';
import { CALLS_AN_ATTEMPT, isFound, mixedOrder } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';

export const GOAL = '1.15 × the ideal at 50 side by side; promptfoo takes 1.8 of our time';

const DEFAULT_SIZES = [500];
/** Conversations at once; the sizes are the attempts at the most of them, so that each takes about the same time. */
const AT_ONCE = [4, 20, 50];
const MOST_AT_ONCE = 50;
const LATENCY_MS = 100;
const REPEATS = 3;
const IDEAL_MAX = 1.15;
const FASTER_MIN = 1.8;

/**
 * Metric 13: wall time of runs with models that take 100 ms, beside what these calls alone take (attempts × calls ×
 * latency / conversations at once) and beside promptfoo at the same number at once. Cells are played three times, so
 * that k of 3 can be checked; promptfoo plays as many tests as there are attempts.
 */
export async function run({ sizes: given = [], rounds = 1 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const size = Math.max(...(given.length > 0 ? given : DEFAULT_SIZES));
  const program = promptfooProgram();
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const measured = [];
    for (const atOnce of AT_ONCE) {
      const cells = Math.max(1, Math.round((size * atOnce) / MOST_AT_ONCE / REPEATS));
      measured.push(await measure(world, program, { atOnce, cells, rounds, misses }));
    }
    const most = measured.at(-1);
    const ofIdeal = measured.map(({ oursMs, idealMs }) => round(oursMs / idealMs, 3));
    const faster = measured.map(({ oursMs, peerMs }) => (peerMs === null ? null : round(peerMs / oursMs, 2)));
    if ((ofIdeal.at(-1) ?? 0) > IDEAL_MAX)
      misses.push(`At ${MOST_AT_ONCE} it takes ${ofIdeal.at(-1)} of the ideal, above ${IDEAL_MAX}.`);
    if ((faster.at(-1) ?? FASTER_MIN) < FASTER_MIN)
      misses.push(`At ${MOST_AT_ONCE} promptfoo takes ${faster.at(-1)} of our time, under ${FASTER_MIN}.`);
    return {
      metric: 'run-time',
      sizes: measured.map(({ attempts }) => attempts),
      ours: measured.map(({ oursMs }) => oursMs),
      baseline: measured.map(({ idealMs }) => idealMs),
      ratio: ofIdeal,
      exponent: null,
      counters: {
        atOnce: AT_ONCE.join(' / '),
        latencyMs: LATENCY_MS,
        promptfooMs: measured.map(({ peerMs }) => peerMs ?? '-').join(' / '),
        promptfooToOurs: faster.map((ratio) => ratio ?? '-').join(' / '),
        promptfooToIdeal: measured
          .map(({ peerMs, idealMs }) => (peerMs === null ? '-' : round(peerMs / idealMs, 2)))
          .join(' / '),
        peak: most?.peak ?? 0,
        partial: program === null ? NOT_INSTALLED : 'no',
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

interface Measuring {
  atOnce: number;
  cells: number;
  rounds: number;
  misses: string[];
}

async function measure(world: RunWorld, program: string | null, { atOnce, cells, rounds, misses }: Measuring) {
  const worker = await world.startWorker({ conversations: atOnce, models: atOnce });
  const attempts = cells * REPEATS;
  const ours: number[] = [];
  const peer: number[] = [];
  let peak = 0;
  try {
    for (let at = 0; at < rounds; at += 1) {
      const played = await playOnce(world, { atOnce, cells, misses });
      ours.push(played.ms);
      peak = Math.max(peak, played.peak);
      if (program !== null) peer.push(await playPeer(world, program, { atOnce, attempts, misses }));
    }
  } finally {
    await worker.stop();
  }
  return {
    attempts,
    oursMs: round(median(ours), 0),
    peerMs: peer.length > 0 ? round(median(peer), 0) : null,
    idealMs: round((attempts * CALLS_AN_ATTEMPT * LATENCY_MS) / atOnce, 0),
    peak,
  };
}

async function playOnce(world: RunWorld, { atOnce, cells, misses }: Omit<Measuring, 'rounds'>) {
  const orders = Array.from({ length: cells }, (_, at) => mixedOrder(at));
  const agent = await world.makeAgent(orders);
  await world.speakers.reset(LATENCY_MS);
  const { runId, ms } = await playRun(world, agent, { repeats: REPEATS });
  const log = await world.speakers.log();
  const stored = await storedRun(world, runId);
  const calls = log.caller + log.agent;
  const expected = cells * REPEATS * CALLS_AN_ATTEMPT;
  if (calls !== expected) misses.push(`${cells * REPEATS} attempts made ${calls} model calls, not ${expected}.`);
  if (log.peak > atOnce) misses.push(`${log.peak} questions were out at once, above ${atOnce}.`);
  const wanted = JSON.stringify(sorted(expectedCells(orders)));
  const found = JSON.stringify(sorted(stored.cells));
  if (found !== wanted) misses.push(`The cells are ${found}, not ${wanted}.`);
  return { ms, peak: log.peak };
}

/** Cells by result and k, as they have to come out. */
function expectedCells(orders: readonly number[]): Record<string, number> {
  const cells: Record<string, number> = {};
  for (const order of orders) {
    const k = [1, 2, 3].filter((attempt) => isFound(order, attempt)).length;
    const name = `${k === REPEATS ? 'passed' : k === 0 ? 'failed' : 'flaky'} ${k}`;
    cells[name] = (cells[name] ?? 0) + 1;
  }
  return cells;
}

const sorted = (counts: Record<string, number>) => Object.entries(counts).sort(([a], [b]) => a.localeCompare(b));

async function playPeer(
  { speakers }: RunWorld,
  program: string,
  { atOnce, attempts, misses }: { atOnce: number; attempts: number; misses: string[] },
): Promise<number> {
  const orders = Array.from({ length: attempts }, (_, at) => mixedOrder(at));
  await speakers.reset(LATENCY_MS);
  const played = await playWithPromptfoo(program, speakers, { orders, atOnce });
  const passed = orders.filter((order) => isFound(order, 1)).length;
  if (played.passed !== passed) misses.push(`promptfoo passed ${played.passed} of ${attempts}, not ${passed}.`);
  return played.ms;
}
