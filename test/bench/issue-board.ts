import { type BoardPosition, boardPosition, type IssueView, listBoard } from '../../src/db/issues/read-issues.ts';
import { type BenchAgent, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, growsBeyond, median, round, timed } from './measure.ts';

export const GOAL = '2.5 × the bare rows; page 200 at 1.2 × the first; growth 0.10';

const DEFAULT_SIZES = [1_000, 10_000, 100_000];
const LIMIT = 25;
const DEEP_PAGE = 200;
/** Behind page 200 the walk of the check goes on in long strides. */
const LONG_PAGE = 2_000;
const PAGES_A_ROUND = 40;
const RAW_RATIO_MAX = 2.5;
const COMPUTED_RATIO_MIN = 4;
const DEEP_RATIO_MAX = 1.2;
const EXPONENT_MAX = 0.1;
const FILTER = {
  source: 'detector',
  statuses: null,
  classes: null,
  includeResolved: false,
  includeDownstream: false,
} as const;

/** Metric 4: pages 1 and 200 of the issue board, against the bare rows and against scores computed when they are read. */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const misses: string[] = [];
    const ours: number[] = [];
    const raw: number[] = [];
    const ratios: number[] = [];
    const deepRatios: number[] = [];
    const computedRatios: number[] = [];
    let loaded = 0;
    for (const size of sizes) {
      await loadIssues(database, agent, loaded, size);
      loaded = size;
      const { positions, misses: wrong } = await walkBoard(database, agent);
      misses.push(...wrong);
      // A short board ends before page 200: its last full page stands for it.
      const deep = positions[Math.min(DEEP_PAGE - 1, positions.length - 2)] ?? null;
      const times = { first: [] as number[], deep: [] as number[], raw: [] as number[], computed: [] as number[] };
      await readPages(() => readPage(database, agent, null));
      for (let at = 0; at < rounds; at += 1) {
        times.first.push(await readPages(() => readPage(database, agent, null)));
        times.raw.push(await readPages(() => readRaw(database, agent)));
        times.deep.push(await readPages(() => readPage(database, agent, deep)));
        times.computed.push(await readPages(() => readComputed(database, agent), 3));
      }
      ours.push(round(median(times.first), 3));
      raw.push(round(median(times.raw), 3));
      const ratio = (of: number[], to: number[]) => round(median(of.map((ms, at) => ms / (to[at] ?? Number.NaN))), 3);
      ratios.push(ratio(times.first, times.raw));
      deepRatios.push(ratio(times.deep, times.first));
      computedRatios.push(ratio(times.computed, times.first));
    }
    const exponent = exponentOf(sizes, ours);
    const worst = Math.max(...ratios);
    const worstDeep = Math.max(...deepRatios);
    const computed = computedRatios.at(-1) ?? 0;
    if (worst > RAW_RATIO_MAX) misses.push(`A page takes ${worst} of the bare rows, above ${RAW_RATIO_MAX}.`);
    if (worstDeep > DEEP_RATIO_MAX) misses.push(`Page ${DEEP_PAGE} takes ${worstDeep} of the first.`);
    if (Math.max(...sizes) >= 10_000 && computed < COMPUTED_RATIO_MIN)
      misses.push(`Scores computed at read take ${computed} of it, under ${COMPUTED_RATIO_MIN}.`);
    if (growsBeyond(sizes, exponent, EXPONENT_MAX)) misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    return {
      metric: 'issue-board',
      sizes,
      ours,
      baseline: raw,
      ratio: ratios,
      exponent,
      counters: { deepOfFirst: deepRatios.join(', '), computedOfOurs: computedRatios.join(', ') },
      ok: misses.length === 0,
      misses,
    };
  }, 2);
}

function readPage(
  { within }: BenchDatabase,
  { workspaceId, agentId }: BenchAgent,
  after: BoardPosition | null,
  limit = LIMIT,
) {
  return listBoard(within(workspaceId), { workspaceId, agentIds: [agentId] }, FILTER, { after, limit });
}

async function readPages(read: () => Promise<unknown>, times = PAGES_A_ROUND): Promise<number> {
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) took.push(await timed(read));
  return median(took);
}

const LISTED = `i.agent_id = $1 and i.section <> 'hidden' and i.withdrawn_at is null and i.klass <> 'behaviour'
  and i.source = 'detector' and i.status <> 'resolved'`;

function readRaw({ client }: BenchDatabase, { agentId }: BenchAgent) {
  return client.query(
    `select * from issues i where ${LISTED}
     order by (i.section = 'not_established'), i.fell_on_live, i.board_rank, i.id limit ${LIMIT + 1}`,
    [agentId],
  );
}

/** The first page with each issue's score worked out from its sums in the statement. */
function readComputed({ client }: BenchDatabase, { agentId }: BenchAgent) {
  return client.query(
    `select i.*, score from issues i join (
       select issue_id, sum(calls)::float8 / nullif((select call_count from agents where id = $1), 0)
         * greatest(0.05, sum(bad)::float8 / sum(calls)) * sum(confidence_milli) / sum(own_calls) as score
       from issue_rollups where agent_id = $1 group by 1) r on r.issue_id = i.id
     where ${LISTED}
     order by (i.section = 'not_established'), i.fell_on_live, score desc, i.id limit ${LIMIT + 1}`,
    [agentId],
  );
}

/** Walks the whole board: where each page ends, and what breaks the contract's order or shows twice. */
async function walkBoard(database: BenchDatabase, agent: BenchAgent) {
  const positions: BoardPosition[] = [];
  const seen = new Set<string>();
  const misses: string[] = [];
  let last: IssueView | null = null;
  for (let after: BoardPosition | null = null; ; ) {
    const limit: number = positions.length < DEEP_PAGE ? LIMIT : LONG_PAGE;
    const page: IssueView[] = await readPage(database, agent, after, limit);
    for (const issue of page.slice(0, limit)) {
      if (seen.has(issue.id)) misses.push(`Issue ${issue.id} is on two pages.`);
      if (last && !comesAfter(last, issue)) misses.push(`Issue ${issue.id} is out of order.`);
      seen.add(issue.id);
      last = issue;
    }
    if (page.length <= limit || !last) break;
    after = boardPosition(last);
    positions.push(after);
  }
  const { rows } = await database.client.query<{ listed: number }>(
    `select count(*)::int as listed from issues i where ${LISTED}`,
    [agent.agentId],
  );
  if (rows[0]?.listed !== seen.size) misses.push(`${rows[0]?.listed} issues are listed, ${seen.size} were shown.`);
  return { positions, misses: misses.slice(0, 5) };
}

/** Established causes first, within them what still happens, then by priority. */
function comesAfter(a: IssueView, b: IssueView): boolean {
  const rank = (issue: IssueView) => [
    Number(issue.section === 'not_established'),
    Number(issue.fellOnLive),
    -issue.orderKey,
  ];
  const [before, behind] = [rank(a), rank(b)];
  const at = before.findIndex((part, index) => part !== behind[index]);
  return at < 0 ? a.id < b.id : (before[at] ?? 0) < (behind[at] ?? 0);
}

/** Adds issues up to a number, each with sums of three versions; ranks have ties, some are hidden, fallen or resolved. */
async function loadIssues({ client }: BenchDatabase, agent: BenchAgent, from: number, upTo: number): Promise<void> {
  await client.query(
    `insert into issues (id, workspace_id, agent_id, key, source, code, place_kind, place_id, place_label, klass, lane,
       severity, title, status, confirmed, cause_code, cause_label, cause_established, section, target_kind, target_id,
       target_label, recommendation, volume, fell_on_live, order_key, calls_by_version)
     select md5(($1::uuid)::text || i)::uuid, $2::uuid, $1::uuid, 'issue ' || i, 'detector', 'code_' || i % 60, 'tool', 'place_' || i,
       'place ' || i, 'technical', 'integrations', 'high', 'Tool fails at place ' || i,
       case when bench_chance(i, 1) < 0.1 then 'resolved' else 'discovered' end, true, 'timeout', 'It timed out', true,
       case when bench_chance(i, 2) < 0.15 then 'not_established' when bench_chance(i, 2) < 0.3 then 'hidden'
         else 'fix' end,
       'tool', 'place_' || i, 'place ' || i, 'Give the service more time.', 3 + floor(bench_chance(i, 3) * 500)::int,
       bench_chance(i, 4) < 0.1, floor(ln(bench_chance(i, 5) + 1e-6) * 1000) / 1000,
       '[[2, 3], [1, 2]]'
     from generate_series($3::int + 1, $4::int) i`,
    [agent.agentId, agent.workspaceId, from, upTo],
  );
  await client.query(
    `insert into issue_rollups (issue_id, version, agent_id, calls, bad, own_calls, confidence_milli)
     select md5(($1::uuid)::text || i)::uuid, v, $1::uuid, 1 + floor(bench_chance(i, 6 + v) * 200)::int, 1, 10, 8000
     from generate_series($2::int + 1, $3::int) i, generate_series(1, 3) v`,
    [agent.agentId, from, upTo],
  );
  await client.query(`update agents set call_count = 10000, version_totals = '[[2, 5000], [1, 5000]]' where id = $1`, [
    agent.agentId,
  ]);
  await client.query('vacuum analyze issues, issue_rollups');
}
