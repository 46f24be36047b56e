import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { residentMb, watchMemory } from './runs/memory.ts';
import { playRun, storedRun } from './runs/play.ts';
import { NOT_INSTALLED, playWithPromptfoo, promptfooProgram } from './runs/promptfoo.ts';
import { foundOrder } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';
import { startServer } from './servers.ts';

export const GOAL = '2 × a worker that does nothing; 0.6 of promptfoo; growth 0.10; flat';

const DEFAULT_SIZES = [100, 1_000];
const AT_ONCE = 50;
const SETTLED_MS = 3_000;
const BARE_RATIO_MAX = 2;
const PEER_RATIO_MAX = 0.6;
const EXPONENT_MAX = 0.1;
/** End of the last half of a run over its beginning: collections come and go by themselves. */
const FLAT_MAX = 1.15;

/**
 * Metric 21, the worker's part: the most that it holds while it plays attempts of eight turns, fifty side by side,
 * beside a worker that does nothing and beside promptfoo with as many tests. Each size has a process of its own.
 */
export async function run({ sizes: given = [] }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const program = promptfooProgram();
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const bareMb = await idleMb(world);
    const measured = [];
    for (const size of sizes) measured.push(await measure(world, program, size, misses));
    const ours = measured.map(({ peakMb }) => peakMb);
    const peers = measured.map(({ peerMb }) => peerMb).filter((peer) => peer !== null);
    const ratio = [round((ours.at(-1) ?? 0) / bareMb, 2)];
    const beside = peers.map((peer, at) => round((ours[at] ?? 0) / peer, 2));
    const exponent = exponentOf(sizes, ours);
    const flat = measured.at(-1)?.flat ?? Number.NaN;
    if ((ratio[0] ?? 0) > BARE_RATIO_MAX)
      misses.push(`It takes ${ratio[0]} of a worker that does nothing, above ${BARE_RATIO_MAX}.`);
    if ((beside.at(-1) ?? 0) > PEER_RATIO_MAX)
      misses.push(`It takes ${beside.at(-1)} of promptfoo, above ${PEER_RATIO_MAX}.`);
    if (exponent !== null && exponent > EXPONENT_MAX)
      misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    if (flat > FLAT_MAX) misses.push(`Over the last half of the run it grew to ${flat}, above ${FLAT_MAX}.`);
    return {
      metric: 'worker-memory',
      sizes,
      ours,
      baseline: peers.length > 0 ? peers : [bareMb],
      ratio: [...ratio, ...beside],
      exponent,
      counters: {
        unit: 'MB',
        idleMb: measured.map(({ startMb }) => startMb).join(' / '),
        bareMb,
        lastHalf: flat,
        partial: program === null ? NOT_INSTALLED : 'no',
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

/** Under Node's own settings, as anybody starts it. */
async function idleMb({ env: { NODE_OPTIONS: _ours, ...env } }: RunWorld): Promise<number> {
  const bare = await startServer('test/bench/servers/no-op-worker.ts', env);
  await sleep(SETTLED_MS);
  const megabytes = residentMb(bare.child.pid);
  await bare.stop();
  return megabytes;
}

async function measure(world: RunWorld, program: string | null, size: number, misses: string[]) {
  const { speakers } = world;
  const orders = Array.from({ length: size }, (_, at) => foundOrder(at));
  const agent = await world.makeAgent(orders);
  const worker = await world.startWorker({ conversations: AT_ONCE });
  await sleep(SETTLED_MS);
  const startMb = residentMb(worker.child.pid);
  const ended = watchMemory(worker.child.pid);
  await speakers.reset(0);
  const { runId } = await playRun(world, agent);
  const seen = ended();
  await worker.stop();
  const stored = await storedRun(world, runId);
  if (stored.passed !== size) misses.push(`${stored.passed} of ${size} attempts passed.`);
  const last = seen.slice(Math.floor(seen.length / 2));
  const quarter = Math.max(1, Math.floor(last.length / 4));
  let peerMb: number | null = null;
  if (program !== null) {
    await speakers.reset(0);
    const played = await playWithPromptfoo(program, speakers, { orders, atOnce: AT_ONCE });
    peerMb = Math.max(...played.memory);
  }
  return {
    startMb,
    peakMb: Math.max(...seen),
    flat: round(median(last.slice(-quarter)) / median(last.slice(0, quarter)), 3),
    peerMb,
  };
}
