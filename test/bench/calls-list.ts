import { type CallPosition, type CallView, listCalls, NO_CALL_FILTER } from '../../src/db/calls/read-calls.ts';
import { newId } from '../../src/ids.ts';
import { type BenchAgent, loadHistory, makeBenchAgent } from './data.ts';
import { type BenchDatabase, watchStatements, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, growsBeyond, median, round, timed } from './measure.ts';

export const GOAL = 'a page at the end at 1.2 × the first; growth 0.10; 40 buffers';

const DEFAULT_SIZES = [10_000, 30_000, 100_000];
const LIMIT = 25;
const PAGES_A_ROUND = 60;
const DEEP_RATIO_MAX = 1.2;
const EXPONENT_MAX = 0.1;
const BUFFERS_MAX = 40;
const ARRIVALS_A_SECOND = 100;

/** Metric 1: a page of the calls list at the start and at the end of the walk; the baseline is the bare row comparison. */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const misses: string[] = [];
    const deepTimes: number[] = [];
    const bareTimes: number[] = [];
    const deepRatios: number[] = [];
    let buffers = 0;
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      const deep = await lastPosition(database, agent);
      const first = { ours: [] as number[], deep: [] as number[], bare: [] as number[] };
      await readPages(database, agent, null);
      for (let at = 0; at < rounds; at += 1) {
        first.ours.push(await readPages(database, agent, null));
        first.deep.push(await readPages(database, agent, deep));
        first.bare.push(await readBare(database, agent, deep));
      }
      deepTimes.push(round(median(first.deep), 3));
      bareTimes.push(round(median(first.bare), 3));
      deepRatios.push(round(median(first.deep.map((ms, index) => ms / (first.ours[index] ?? Number.NaN))), 3));
      buffers = Math.max(buffers, await buffersOfPage(database, agent, deep));
    }
    const walked = await walkWhileCallsArrive(database, agent);
    misses.push(...walked.misses);
    const exponent = exponentOf(sizes, deepTimes);
    const worst = Math.max(...deepRatios);
    if (worst > DEEP_RATIO_MAX) misses.push(`A deep page takes ${worst} of the first, above ${DEEP_RATIO_MAX}.`);
    if (growsBeyond(sizes, exponent, EXPONENT_MAX)) misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    if (buffers > BUFFERS_MAX) misses.push(`A page reads ${buffers} buffers, above ${BUFFERS_MAX}.`);
    return {
      metric: 'calls-list',
      sizes,
      ours: deepTimes,
      baseline: bareTimes,
      ratio: deepRatios,
      exponent,
      counters: { buffersAPage: buffers, walked: walked.seen, arrivedMeanwhile: walked.arrived },
      ok: misses.length === 0,
      misses,
    };
  }, 3);
}

const scopeOf = ({ workspaceId, agentId }: BenchAgent) => ({ workspaceId, agentIds: [agentId] });

async function readPage(database: BenchDatabase, agent: BenchAgent, after: CallPosition | null, limit = LIMIT) {
  return listCalls(database.within(agent.workspaceId), scopeOf(agent), NO_CALL_FILTER, { after, limit });
}

/** Milliseconds of one page, as the median of many. */
async function readPages(database: BenchDatabase, agent: BenchAgent, after: CallPosition | null): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < PAGES_A_ROUND; at += 1) times.push(await timed(() => readPage(database, agent, after)));
  return median(times);
}

const BARE = `select * from calls where agent_id = $1 and state = 'analysed' and (sort_at, id) < ($2::timestamptz, $3::uuid)
  order by sort_at desc, id desc limit ${LIMIT + 1}`;

async function readBare({ client }: BenchDatabase, { agentId }: BenchAgent, after: CallPosition): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < PAGES_A_ROUND; at += 1) {
    times.push(await timed(() => client.query(BARE, [agentId, ...after])));
  }
  return median(times);
}

/** Where the last page but one ends: among the calls without a start time. */
async function lastPosition({ client }: BenchDatabase, { agentId }: BenchAgent): Promise<CallPosition> {
  const { rows } = await client.query<{ sort_at: string; id: string }>(
    `select sort_at::text, id from calls where agent_id = $1 and state = 'analysed'
     order by sort_at, id offset ${LIMIT + 5} limit 1`,
    [agentId],
  );
  const [row] = rows;
  if (!row) throw new Error('The history is too short for a walk.');
  return [row.sort_at, row.id];
}

/** Buffers of the statement that the list itself sends. */
async function buffersOfPage(database: BenchDatabase, agent: BenchAgent, after: CallPosition): Promise<number> {
  const watch = watchStatements();
  await readPage(database, agent, after);
  watch.stop();
  const page = watch.sent.find(({ text }) => /from "?calls"?/.test(text));
  if (!page) throw new Error('The list sent no statement.');
  const { rows } = await database.client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    `explain (analyze, buffers, format json) ${page.text}`,
    page.values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

/** Walks the whole list while new calls come in: every call that was there at the start must be shown exactly once. */
async function walkWhileCallsArrive(database: BenchDatabase, agent: BenchAgent) {
  const { client } = database;
  const { rows: before } = await client.query<{ id: string }>(
    `select id from calls where agent_id = $1 and state = 'analysed'`,
    [agent.agentId],
  );
  let walking = true;
  let arrived = 0;
  const arriving = (async () => {
    while (walking) {
      await addCall(database, agent, arrived);
      arrived += 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 / ARRIVALS_A_SECOND));
    }
  })();
  const seen: CallView[] = [];
  for (let after: CallPosition | null = null; ; ) {
    const page: CallView[] = await readPage(database, agent, after, 100);
    seen.push(...page.slice(0, 100));
    const last = seen.at(-1);
    if (page.length <= 100 || !last) break;
    after = [last.sortAt, last.id];
  }
  walking = false;
  await arriving;
  const ids = new Set(seen.map((call) => call.id));
  const misses: string[] = [];
  if (ids.size !== seen.length) misses.push('The walk showed a call twice.');
  if (before.some(({ id }) => !ids.has(id))) misses.push('The walk missed a call that was there when it began.');
  const firstUndated = seen.findIndex((call) => call.startedAt === null);
  if (firstUndated >= 0 && seen.slice(firstUndated).some((call) => call.startedAt !== null)) {
    misses.push('A call without a start time came before one with it.');
  }
  return { misses, seen: seen.length, arrived };
}

async function addCall({ client }: BenchDatabase, { agentId, workspaceId }: BenchAgent, number: number) {
  await client.query(
    `insert into calls (id, workspace_id, agent_id, provider_call_id, payload_digest, state, version, started_at,
       duration_ms, direction, disconnection_reason, outcome, analysed_at)
     values ($1, $2, $3, $4, '', 'analysed', 1, now() - random() * interval '400 days', 1000, 'inbound', '', 'resolved', now())`,
    [newId(), workspaceId, agentId, `walk ${number}`],
  );
}
