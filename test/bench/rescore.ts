import { type BenchOptions, type BenchResult, median, round } from './measure.ts';
import { ask, playRun, rescore } from './runs/play.ts';
import { foundOrder } from './runs/words.ts';
import { type RunAgent, type RunWorld, withRunWorld } from './runs/world.ts';

export const GOAL = '1.30 × the ideal';

const DEFAULT_SIZES = [1_500];
const AT_ONCE = 50;
const LATENCY_MS = 100;
const RATIO_MAX = 1.3;

/**
 * Metric 17: every stored attempt of a run judged again, one question each to a model that takes 100 ms, beside what
 * these questions alone take. No call is played, the earlier scores are kept, and a second rescore at once is refused.
 */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const worker = await world.startWorker({ conversations: AT_ONCE, models: AT_ONCE });
    const ours: number[] = [];
    let peak = 0;
    try {
      for (const size of sizes) {
        const agent = await world.makeAgent(
          Array.from({ length: size }, (_, at) => foundOrder(at)),
          { script: [], judged: true },
        );
        await world.speakers.reset(0);
        const { runId } = await playRun(world, agent);
        const times: number[] = [];
        for (let nth = 1; nth <= rounds; nth += 1) {
          const seen = await rescoreOnce(world, agent, { runId, nth, size, misses });
          times.push(seen.ms);
          peak = Math.max(peak, seen.peak);
        }
        ours.push(round(median(times), 0));
      }
    } finally {
      await worker.stop();
    }
    const ideal = sizes.map((size) => (size * LATENCY_MS) / AT_ONCE);
    const ratio = ours.map((ms, at) => round(ms / (ideal[at] ?? Number.NaN), 3));
    const last = ratio.at(-1) ?? Number.NaN;
    if (last > RATIO_MAX) misses.push(`It takes ${last} of the ideal, above ${RATIO_MAX}.`);
    return {
      metric: 'rescore',
      sizes,
      ours,
      baseline: ideal,
      ratio,
      exponent: null,
      counters: { atOnce: AT_ONCE, latencyMs: LATENCY_MS, peak },
      ok: misses.length === 0,
      misses,
    };
  });
}

interface Rescored {
  runId: string;
  nth: number;
  size: number;
  misses: string[];
}

async function rescoreOnce(world: RunWorld, agent: RunAgent, { runId, nth, size, misses }: Rescored) {
  await world.speakers.reset(LATENCY_MS);
  const going = rescore(world, agent, runId);
  const second = await untilRescoring(world, runId, () =>
    ask(world, agent, `/v1/agents/${agent.agentId}/runs/${runId}/rescore`),
  );
  const { code } = ((await second.json()) as { error?: { code?: string } }).error ?? {};
  if (second.status !== 409 || code !== 'rescore_in_progress')
    misses.push(`A second rescore at once was answered with ${second.status} ${code}.`);
  const { ms } = await going;
  const log = await world.speakers.log();
  if (log.judge !== size) misses.push(`${size} attempts made ${log.judge} questions to the judge.`);
  if (log.agent + log.caller + log.others > 0) misses.push('Something other than the judge was asked.');
  if (log.peak > AT_ONCE) misses.push(`${log.peak} questions were out at once, above ${AT_ONCE}.`);
  const { rows } = await world.database.client.query<{ kept: number }>(
    `select count(*)::int as kept from attempts where run_id = $1 and result = 'passed'
       and jsonb_array_length(earlier_scores) = $2 and (score ->> 'nth')::int = $2`,
    [runId, nth],
  );
  if (rows[0]?.kept !== size) misses.push(`${rows[0]?.kept} of ${size} attempts keep their earlier scores.`);
  return { ms, peak: log.peak };
}

async function untilRescoring<T>({ database }: RunWorld, runId: string, then: () => Promise<T>): Promise<T> {
  for (;;) {
    const { rows } = await database.client.query<{ rescoring: boolean }>('select rescoring from runs where id = $1', [
      runId,
    ]);
    if (rows[0]?.rescoring) return then();
  }
}
