import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createImport } from '../../src/db/imports/imports.ts';
import { openPoller } from '../../src/services/agents/open-poller.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import type { StoredAgent } from '../support/pipeline.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { type RunWorld, storeBenchAgent, withRunWorld } from './runs/world.ts';
import { type ServerProcess, startServer } from './servers.ts';

export const GOAL =
  'a call that ends beside a backfill is analysed within an interval of polls and 5 s; each call once';

const DEFAULT_SIZES = [3_000];
const INTERVAL_S = 15;
const BESIDE_S = 5;
/** No part of the interval, so that calls end all over it. */
const RING_EVERY_MS = 4_730;
const LATENCY_MS = 10;
const YEAR_MS = 365 * 86_400_000;
const LOOK_EVERY_MS = 100;
/** All of the platform's calls lie behind it. */
const yearAgo = () => new Date(Date.now() - YEAR_MS - 86_400_000).toISOString();

/**
 * The calls of a year are imported from a platform on one worker while others end: milliseconds from the end of each to its
 * analysis, the longest, against what is asked of it.
 */
export async function run({ sizes: given = [] }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withRunWorld(async (world) => {
    const seen: Measured[] = [];
    for (const size of sizes) seen.push(await measure(world, size));
    const ours = seen.map(({ waits }) => round(Math.max(...waits), 0));
    const baseline = sizes.map(() => (INTERVAL_S + BESIDE_S) * 1000);
    const ratio = ours.map((ms, at) => round(ms / (baseline[at] ?? Number.NaN), 2));
    const misses = seen.flatMap((one) => one.misses);
    if (Math.max(...ratio) > 1) misses.push(`A call beside the backfill was analysed after ${Math.max(...ours)} ms.`);
    const last = seen.at(-1);
    return {
      metric: 'backfill',
      sizes,
      ours,
      baseline,
      ratio,
      exponent: exponentOf(sizes, ours),
      counters: {
        intervalS: INTERVAL_S,
        callsBeside: last?.waits.length ?? 0,
        medianMs: round(median(last?.waits ?? []), 0),
        backfillS: last?.backfillS ?? 0,
        backfillCallsASecond: round((sizes.at(-1) ?? 0) / (last?.backfillS ?? 1), 0),
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

interface Measured {
  /** Milliseconds from the end of each call beside it to its analysis. */
  waits: number[];
  backfillS: number;
  misses: string[];
}

async function measure(world: RunWorld, size: number): Promise<Measured> {
  const platform = await startServer('test/bench/servers/slow-platform.ts', {
    BENCH_CALLS: String(size),
    BENCH_LATENCY_MS: String(LATENCY_MS),
    BENCH_EVERY_MS: String(Math.floor(YEAR_MS / size)),
  });
  const agent = await enlist(world, platform);
  const { EARSHOT_NO_POLL: _, ...env } = world.env;
  const worker = await startServer('activities/worker.ts', { ...env, EARSHOT_POLL_SECONDS: String(INTERVAL_S) });
  try {
    const startedMs = Date.now();
    const waits: Promise<number>[] = [];
    while (await isOpen(world, agent)) {
      waits.push(ring(world, agent, platform));
      await sleep(RING_EVERY_MS);
    }
    const backfillS = round((Date.now() - startedMs) / 1000, 1);
    const waited = await Promise.all(waits);
    return { waits: waited, backfillS, misses: await missesOf(world, agent, platform, size + waits.length) };
  } finally {
    await worker.stop();
    await platform.stop();
  }
}

/** An agent whose first import waits for a worker. */
async function enlist({ database }: RunWorld, platform: ServerProcess): Promise<StoredAgent> {
  const agent = await storeBenchAgent(database, platform.url);
  await database.within(agent.workspaceId).transactional(async (tx) => {
    const request = await createImport(tx, { ...agent, kind: 'first', limit: null, from: yearAgo() });
    const entry = importEntry({ ...agent, agentName: 'A year of calls', pollSeconds: null }, request);
    await addToOutbox(tx, { entry, ...agent });
    await openPoller(tx, agent.agentId, { polls: true, pollSeconds: INTERVAL_S });
  });
  return agent;
}

async function isOpen({ database }: RunWorld, { agentId }: StoredAgent): Promise<boolean> {
  const status = sql<{ status: string }>`select status from imports where agent_id = ${agentId} and kind = 'first'`;
  const { rows } = await status.execute(database.em().getKysely());
  return rows[0]?.status !== 'complete' && rows[0]?.status !== 'failed';
}

/** @returns milliseconds until the call that ended is analysed */
async function ring({ database }: RunWorld, { agentId }: StoredAgent, platform: ServerProcess): Promise<number> {
  const startedMs = performance.now();
  const { call_id } = (await (await fetch(`${platform.url}/ring`, { method: 'POST' })).json()) as { call_id: string };
  for (;;) {
    const analysed = sql`
      select 1 from calls where agent_id = ${agentId} and provider_call_id = ${call_id} and state = 'analysed'`;
    const { rows } = await analysed.execute(database.em().getKysely());
    if (rows.length === 1) return performance.now() - startedMs;
    await sleep(LOOK_EVERY_MS);
  }
}

async function missesOf(
  { database }: RunWorld,
  { agentId }: StoredAgent,
  platform: ServerProcess,
  wanted: number,
): Promise<string[]> {
  const { rows } = await database.client.query<{ calls: number; analysed: number; status: string }>(
    `select count(*)::int as calls, count(*) filter (where state = 'analysed')::int as analysed,
       (select status from imports where agent_id = $1 and kind = 'first') as status
     from calls where agent_id = $1`,
    [agentId],
  );
  const [{ calls, analysed, status } = { calls: 0, analysed: 0, status: 'gone' }] = rows;
  const misses: string[] = [];
  if (status !== 'complete') misses.push(`The backfill ended as ${status}.`);
  if (calls !== wanted || analysed !== wanted)
    misses.push(`${calls} of ${wanted} calls are stored, ${analysed} of them analysed.`);
  const { reads } = (await (await fetch(`${platform.url}/log`)).json()) as { reads: number };
  if (reads > wanted * 1.01) misses.push(`${wanted} calls were read ${reads} times.`);
  return misses;
}
