import { readFlow } from '../../src/db/metrics/read-flow.ts';
import { readMetricCalls } from '../../src/db/metrics/read-metric-calls.ts';
import { type MetricSlice, readMetricBins, readMetricSums } from '../../src/db/metrics/read-metrics.ts';
import { rebuildMetrics } from '../../src/db/metrics/tally-calls.ts';
import { type BenchAgent, HISTORY_DAYS, HISTORY_START, loadHistory, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, growsBeyond, median, round, timed } from './measure.ts';

export const GOAL = '1/10 of full aggregates; growth 0.15';

const DEFAULT_SIZES = [10_000, 30_000, 100_000];
const RATIO_MAX = 1 / 10;
const EXPONENT_MAX = 0.15;
const READS_A_ROUND = 15;
/** The range of a board: whole days, the last 30 of the history. */
const DAY_MS = 86_400_000;
const END = Date.parse(`${HISTORY_START}T00:00:00.000Z`) + HISTORY_DAYS * DAY_MS;
const SLICE: MetricSlice = {
  window: { from: new Date(END - 30 * DAY_MS).toISOString(), before: new Date(END).toISOString() },
  version: null,
};
const SETTLED_UNTIL = new Date(END - 8 * DAY_MS).toISOString().slice(0, 10);
const VERSION = 30;
const LIMIT = 25;

type Read = (database: BenchDatabase, agent: BenchAgent) => Promise<unknown>;

const scopeOf = ({ workspaceId, agentId }: BenchAgent) => ({ workspaceId, agentIds: [agentId] });

/** What a board asks for, and the same from the calls themselves. */
const JOBS: Record<string, { ours: Read; plain: Read }> = {
  counts: {
    ours: ({ client }, { agentId }) => client.query('select call_count from agents where id = $1', [agentId]),
    plain: ({ client }, { agentId }) =>
      client.query(`select count(*) from calls where agent_id = $1 and state = 'analysed'`, [agentId]),
  },
  figures: {
    ours: async (database, agent) => {
      const em = database.within(agent.workspaceId);
      await readMetricSums(em, scopeOf(agent), SLICE, 'day', SETTLED_UNTIL);
      await readMetricBins(em, scopeOf(agent), SLICE, 'day');
    },
    plain: (database, agent) => plainFigures(database, agent, `(started_at at time zone 'UTC')::date`),
  },
  groups: {
    ours: async (database, agent) => {
      const em = database.within(agent.workspaceId);
      const sums = await readMetricSums(em, scopeOf(agent), SLICE, 'intent', SETTLED_UNTIL);
      const groups = sums.map((group) => ({ key: group.key, atMost: group.sums.abandoned }));
      await readMetricCalls(em, scopeOf(agent), SLICE, {
        metric: 'abandoned',
        part: 'yes',
        settledUntil: SETTLED_UNTIL,
        by: 'intent',
        order: 'newest',
        groups,
        limit: LIMIT,
      });
    },
    plain: async (database, agent) => {
      await plainFigures(database, agent, 'intent_slug');
      await database.client.query(
        `select * from (select c.*, row_number() over (partition by intent_slug order by sort_at desc, id desc) as nth
           from calls c where agent_id = $1 and state = 'analysed' and outcome = 'abandoned'
             and sort_at >= $2 and sort_at < $3) numbered where nth <= ${LIMIT}`,
        [agent.agentId, SLICE.window.from, SLICE.window.before],
      );
    },
  },
  flow: {
    ours: (database, agent) => readFlow(database.within(agent.workspaceId), scopeOf(agent), VERSION),
    plain: ({ client }, { agentId }) =>
      client.query(
        `select e ->> 'id' as step, count(*), count(*) filter (where c.ended_badly and v.end_step ->> 'id' = e ->> 'id')
         from calls c join visit_sets v on v.id = c.visit_set_id cross join lateral jsonb_array_elements(v.places) e
         where c.agent_id = $1 and c.state = 'analysed' and c.version = $2 group by 1`,
        [agentId, VERSION],
      ),
  },
};

/** Metric 5: counts, figures by day, groups with their calls and the flow from sums, against full aggregates. */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const names = Object.keys(JOBS);
    const ours: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
    const ratios: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
    const misses: string[] = [];
    const totals = { ours: [] as number[], plain: [] as number[] };
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      const em = database.within(agent.workspaceId);
      await em.transactional((tx) => rebuildMetrics(tx, agent.agentId));
      await database.client.query(
        `update agents set call_count = (select count(*) from calls where agent_id = $1 and state = 'analysed') where id = $1`,
        [agent.agentId],
      );
      await database.client.query('vacuum analyze');
      let [allOurs, allPlain] = [0, 0];
      for (const [name, job] of Object.entries(JOBS)) {
        await job.ours(database, agent);
        const pairs: { ours: number; plain: number }[] = [];
        for (let at = 0; at < rounds; at += 1) {
          pairs.push({
            ours: await readTimes(() => job.ours(database, agent), READS_A_ROUND),
            plain: await readTimes(() => job.plain(database, agent), 2),
          });
        }
        const took = median(pairs.map((pair) => pair.ours));
        ours[name]?.push(round(took, 3));
        ratios[name]?.push(round(median(pairs.map((pair) => pair.ours / pair.plain)), 4));
        allOurs += took;
        allPlain += median(pairs.map((pair) => pair.plain));
      }
      totals.ours.push(round(allOurs, 2));
      totals.plain.push(round(allPlain, 2));
      misses.push(...(await check(database, agent, size)));
    }
    const exponents = Object.fromEntries(names.map((name) => [name, exponentOf(sizes, ours[name] ?? [])]));
    // The bar is set at a million calls: over a few thousand an aggregate costs next to nothing.
    for (const name of names) {
      const last = ratios[name]?.at(-1) ?? 1;
      if (Math.max(...sizes) >= 1_000_000 && last > RATIO_MAX) misses.push(`${name}: ${last} of the aggregate.`);
      if (growsBeyond(sizes, exponents[name] ?? null, EXPONENT_MAX))
        misses.push(`${name} grows by ${exponents[name]}.`);
    }
    return {
      metric: 'metrics',
      sizes,
      ours: totals.ours,
      baseline: totals.plain,
      ratio: totals.ours.map((ms, at) => round(ms / (totals.plain[at] ?? Number.NaN), 4)),
      exponent: exponentOf(sizes, totals.ours),
      counters: Object.fromEntries(
        names.map((name) => [
          name,
          `${ours[name]?.join(', ')} ms, ${ratios[name]?.join(', ')} of the aggregate, growth ${exponents[name]}`,
        ]),
      ),
      ok: misses.length === 0,
      misses,
    };
  }, 3);
}

async function readTimes(read: () => Promise<unknown>, times: number): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) took.push(await timed(read));
  return median(took);
}

function plainFigures({ client }: BenchDatabase, { agentId }: BenchAgent, key: string) {
  return client.query(
    `select ${key} as key, count(*), count(*) filter (where outcome = 'resolved'),
       count(*) filter (where outcome = 'unresolved'), count(*) filter (where outcome = 'abandoned'),
       count(*) filter (where outcome = 'transferred'), count(*) filter (where outcome = 'no_contact'),
       count(*) filter (where tool_results > 0), count(*) filter (where tool_results > 0 and tool_failures > 0),
       count(*) filter (where frictions > 0), percentile_disc(0.5) within group (order by response_median_ms),
       percentile_disc(0.5) within group (order by response_slow_ms),
       percentile_disc(0.5) within group (order by duration_ms) filter (where outcome <> 'no_contact')
     from calls where agent_id = $1 and state = 'analysed' and sort_at >= $2 and sort_at < $3 group by 1 order by 1`,
    [agentId, SLICE.window.from, SLICE.window.before],
  );
}

/** The sums equal the aggregate, and the bins hold each call's times once. */
async function check(database: BenchDatabase, agent: BenchAgent, size: number): Promise<string[]> {
  const sums = await readMetricSums(database.within(agent.workspaceId), scopeOf(agent), SLICE, 'day', SETTLED_UNTIL);
  const bins = await readMetricBins(database.within(agent.workspaceId), scopeOf(agent), SLICE, 'day');
  const { rows } = await database.client.query<{
    day: string;
    calls: number;
    bad: number;
    resolved: number;
    times: number;
  }>(
    `select (started_at at time zone 'UTC')::date::text as day, count(*)::int as calls,
       count(*) filter (where outcome in ('unresolved', 'abandoned'))::int as bad,
       count(*) filter (where outcome = 'resolved')::int as resolved,
       count(*) filter (where outcome <> 'no_contact')::int as times
     from calls where agent_id = $1 and state = 'analysed' and sort_at >= $2 and sort_at < $3 group by 1 order by 1`,
    [agent.agentId, SLICE.window.from, SLICE.window.before],
  );
  const kept = sums.map(({ key, sums: { calls, unresolved, abandoned, resolved } }) => ({
    day: key,
    calls,
    bad: unresolved + abandoned,
    resolved,
    times: [...(bins.get(key)?.duration.values() ?? [])].reduce((sum, one) => sum + one, 0),
  }));
  const same = JSON.stringify(kept) === JSON.stringify(rows) && rows.length > 0;
  return same ? [] : [`The sums of ${size} calls differ from the aggregate.`];
}
