import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { playBare } from './runs/bare-loop.ts';
import { type PlayedRun, playRun, storedRun } from './runs/play.ts';
import { NOT_INSTALLED, playWithPromptfoo, promptfooProgram } from './runs/promptfoo.ts';
import { CALLER_TURNS, CALLS_AN_ATTEMPT, foundOrder, STEPS_AN_ATTEMPT } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';

export const GOAL = 'promptfoo takes 1.5 of our time a turn';

const DEFAULT_SIZES = [1_000];
const AT_ONCE = 50;
const FASTER_MIN = 1.5;
const WARM_UP = 20;

/**
 * Metric 12: what a turn costs beside its model calls. Attempts of eight turns with models that answer at once, fifty
 * side by side, from the request to the stored result, every turn stored; beside promptfoo's simulated user, which
 * stores no turn, and beside the bare questions.
 */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const program = promptfooProgram();
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const worker = await world.startWorker({ conversations: AT_ONCE, models: AT_ONCE });
    try {
      await playOne(world, WARM_UP, misses);
      const measured = [];
      for (const size of sizes) measured.push(await measure(world, program, { size, rounds, misses }));
      const faster = measured.map(({ ratio }) => ratio).filter((ratio) => ratio !== null);
      const last = faster.at(-1);
      if (last !== undefined && last < FASTER_MIN)
        misses.push(`promptfoo takes ${last} of our time, under ${FASTER_MIN}.`);
      const ours = measured.map(({ oursMs }) => oursMs);
      const largest = measured.at(-1);
      return {
        metric: 'turn-overhead',
        sizes,
        ours,
        baseline: measured.map(({ peerMs, bareMs }) => peerMs ?? bareMs),
        ratio: faster.length > 0 ? faster : measured.map(({ oursMs, bareMs }) => round(oursMs / bareMs, 2)),
        exponent: exponentOf(sizes, ours),
        counters: {
          atOnce: AT_ONCE,
          msATurn: round((largest?.oursMs ?? 0) / ((sizes.at(-1) ?? 1) * CALLER_TURNS), 2),
          bareMs: largest?.bareMs ?? 0,
          transactionsAnAttempt: largest?.commits ?? 0,
          spread: largest?.spread ?? '-',
          callsAnAttempt: CALLS_AN_ATTEMPT,
          stepsAnAttempt: STEPS_AN_ATTEMPT,
          partial: program === null ? NOT_INSTALLED : 'no',
        },
        ok: misses.length === 0,
        misses,
      };
    } finally {
      await worker.stop();
    }
  });
}

interface Measuring {
  size: number;
  rounds: number;
  misses: string[];
}

async function measure(world: RunWorld, program: string | null, { size, rounds, misses }: Measuring) {
  const { speakers } = world;
  const ours: number[] = [];
  const bare: number[] = [];
  const commits: number[] = [];
  const peer: number[] = [];
  const orders = Array.from({ length: size }, (_, at) => foundOrder(at));
  for (let at = 0; at < rounds; at += 1) {
    const before = await commitsOf(world);
    ours.push((await playOne(world, size, misses)).ms);
    commits.push(((await commitsOf(world)) - before) / size);
    await speakers.reset(0);
    if (program !== null) {
      const played = await playWithPromptfoo(program, speakers, { orders, atOnce: AT_ONCE });
      peer.push(played.ms);
      if (played.passed !== size) misses.push(`promptfoo passed ${played.passed} of ${size}.`);
    }
    bare.push(await playBare(speakers, { orders, atOnce: AT_ONCE }));
  }
  const ratios = peer.map((ms, at) => ms / (ours[at] ?? Number.NaN));
  return {
    oursMs: round(median(ours), 0),
    bareMs: round(median(bare), 0),
    commits: round(median(commits), 1),
    peerMs: peer.length > 0 ? round(median(peer), 0) : null,
    ratio: ratios.length > 0 ? round(median(ratios), 2) : null,
    spread: ratios.length > 0 ? `${round(Math.min(...ratios), 2)} to ${round(Math.max(...ratios), 2)}` : '-',
  };
}

/** Transactions of the database, those of reads and of the wait for the result among them. */
async function commitsOf({ database }: RunWorld): Promise<number> {
  const { rows } = await database.client.query<{ commits: number }>(
    'select pg_stat_clear_snapshot(), xact_commit::int as commits from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.commits ?? 0;
}

async function playOne(world: RunWorld, size: number, misses: string[]): Promise<PlayedRun> {
  const agent = await world.makeAgent(Array.from({ length: size }, (_, at) => foundOrder(at)));
  await world.speakers.reset(0);
  const played = await playRun(world, agent);
  const log = await world.speakers.log();
  const stored = await storedRun(world, played.runId);
  const calls = log.caller + log.agent;
  if (calls !== size * CALLS_AN_ATTEMPT)
    misses.push(`${size} attempts made ${calls} model calls, not ${size * CALLS_AN_ATTEMPT}.`);
  if (stored.steps !== size * STEPS_AN_ATTEMPT) misses.push(`${stored.steps} steps of ${size} attempts are stored.`);
  if (stored.passed !== size) misses.push(`${stored.passed} of ${size} attempts passed.`);
  if (log.peak > AT_ONCE) misses.push(`${log.peak} questions were out at once, above ${AT_ONCE}.`);
  return played;
}
