import { CELLS_OF_A_CHILD } from '../../src/temporal/run-tests.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { historiesOf, type SeenHistory } from './runs/histories.ts';
import { playRun, storedRun } from './runs/play.ts';
import { foundOrder } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';

export const GOAL = 'growth 1.05; 4,000 events and 64 kB an event at most';

const DEFAULT_SIZES = [50, 500, 1_500];
const REPEATS = 3;
const AT_ONCE = 50;
/** The opening, the caller's one line and its answer. */
const STEPS = 3;
const EXPONENT_MAX = 1.05;
const EVENTS_MAX = 4_000;
const BYTES_MAX = 64 * 1024;

/**
 * Metric 15: one run of many cells, each played three times by a scripted caller with one line: the time grows with the
 * cells and no faster, and no workflow's history or event grows with them.
 */
export async function run({ sizes: given = [], rounds = 1 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const misses: string[] = [];
  const histories: SeenHistory[] = [];
  return withRunWorld(async (world) => {
    const worker = await world.startWorker({ conversations: AT_ONCE });
    const ours: number[] = [];
    try {
      await playOne(world, 5, misses);
      for (const size of sizes) {
        const times: number[] = [];
        for (let at = 0; at < rounds; at += 1) {
          const { ms, seen } = await playOne(world, size, misses);
          times.push(ms);
          histories.push(...seen);
        }
        ours.push(round(median(times), 0));
      }
    } finally {
      await worker.stop();
    }
    const [smallest = 1] = sizes;
    const linear = sizes.map((size) => round(((ours[0] ?? 0) * size) / smallest, 0));
    const exponent = exponentOf(sizes, ours);
    const events = Math.max(...histories.map((history) => history.events));
    const bytes = Math.max(...histories.map(({ largestBytes }) => largestBytes));
    if (exponent !== null && exponent > EXPONENT_MAX)
      misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    if (events > EVENTS_MAX) misses.push(`A workflow has ${events} events, above ${EVENTS_MAX}.`);
    if (bytes > BYTES_MAX) misses.push(`An event has ${bytes} bytes, above ${BYTES_MAX}.`);
    return {
      metric: 'run-scale',
      sizes,
      ours,
      baseline: linear,
      ratio: ours.map((ms, at) => round(ms / (linear[at] ?? Number.NaN), 3)),
      exponent,
      counters: { repeats: REPEATS, atOnce: AT_ONCE, mostEvents: events, largestEventBytes: bytes },
      ok: misses.length === 0,
      misses,
    };
  });
}

async function playOne(world: RunWorld, cells: number, misses: string[]): Promise<{ ms: number; seen: SeenHistory[] }> {
  const orders = Array.from({ length: cells }, (_, at) => foundOrder(at));
  const agent = await world.makeAgent(orders, { script: [] });
  await world.speakers.reset(0);
  const { runId, ms } = await playRun(world, agent, { repeats: REPEATS });
  const stored = await storedRun(world, runId);
  const attempts = cells * REPEATS;
  if (stored.passed !== attempts) misses.push(`${stored.passed} of ${attempts} attempts passed.`);
  if (stored.steps !== attempts * STEPS) misses.push(`${stored.steps} steps of ${attempts} attempts are stored.`);
  if (stored.cells[`passed ${REPEATS}`] !== cells) misses.push(`The cells are ${JSON.stringify(stored.cells)}.`);
  const seen = await historiesOf(world, runId, Math.ceil(cells / CELLS_OF_A_CHILD));
  return { ms, seen };
}
