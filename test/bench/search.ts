import { listCalls, NO_CALL_FILTER } from '../../src/db/calls/read-calls.ts';
import { readFilter } from '../../src/domain/filters/read-filter.ts';
import { type BenchAgent, HISTORY_START, loadHistory, makeBenchAgent, RARE_CODE } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';

export const GOAL = 'a filtered page at 2.5 × the unfiltered one, a common word at 1/20 of a sequential scan';

const DEFAULT_SIZES = [10_000, 100_000];
const LIMIT = 25;
const PAGE_RATIO_MAX = 2.5;
const SCAN_RATIO_MAX = 1 / 20;
/** A scan costs only where there is something to scan. */
const SCAN_FROM = 100_000;
const TRIES = 5;
const COMMON = 'cancel';

/** Each filter with the same as a condition on calls `c`, in words that no index answers. */
const CASES: readonly [line: string, oracle: string][] = [
  [COMMON, has("'cancel'")],
  ['said:"cancel my plan"', has("'cancel' <-> 'my' <-> 'plan'")],
  ['zebra', has("'zebra'")],
  ['caller:cancel -zebra', `${has("'cancel':A")} and not ${has("'zebra'")}`],
  ['tier:gold', field("f.name || '' = 'tier' and f.text || '' = 'gold'")],
  ['tier:platinum', field("f.name || '' = 'tier' and f.text || '' = 'platinum'")],
  ['amount:>900', field("f.name || '' = 'amount' and f.number + 0 > 900")],
  ['tag:vip', field("f.name || '' = '#tag' and f.text || '' = 'vip'")],
  ['cancel tier:gold', `${has("'cancel'")} and ${field("f.name || '' = 'tier' and f.text || '' = 'gold'")}`],
  [
    'cancel (outcome:unresolved OR tier:platinum)',
    `${has("'cancel'")} and (c.outcome = 'unresolved' or ${field("f.name || '' = 'tier' and f.text || '' = 'platinum'")})`,
  ],
  [
    `signal:${RARE_CODE} tier:gold`,
    `c.signal_codes @> array['${RARE_CODE}'] and ${field("f.name || '' = 'tier' and f.text || '' = 'gold'")}`,
  ],
  ['tier:lead', 'false'],
];

function has(query: string): string {
  return `exists (select 1 from call_words w where w.call_id = c.id and w.words @@ $$${query}$$::tsquery offset 0)`;
}

function field(condition: string): string {
  return `exists (select 1 from call_fields f where f.call_id = c.id and ${condition} offset 0)`;
}

/**
 * Metric 33: pages of calls that a line of words and fields asks for, common and rare ones, of calls with a hundred
 * words, twenty fields and tags. Beside the page without a filter, and beside a sequential scan, which is also the gate.
 */
export async function run({ sizes: given = [], rounds = TRIES }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const found = { ours: [] as number[], baseline: [] as number[], ratio: [] as number[], misses: [] as string[] };
    const counters: Record<string, number | string> = {};
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      await addWords(database);
      await database.client.query('vacuum analyze');
      const page = (line: string | null) => () => read(database, agent, line);
      const unfiltered = await timeOf(rounds * 4, page(null));
      let worst = { line: '', ms: 0 };
      for (const [line, oracle] of CASES) {
        const { ids: expected, ms: scanMs } = await scanned(database, agent, oracle);
        if ((await read(database, agent, line)).join() !== expected.join()) {
          found.misses.push(`${line}: other calls than a sequential scan finds.`);
        }
        const ms = Math.min(await timeOf(rounds, page(line)), await timeOf(rounds, page(line)));
        if (ms > worst.ms) worst = { line, ms };
        if (size === sizes.at(-1))
          counters[line] = `${round(ms / unfiltered, 2)} of a page, ${round(ms / scanMs, 4)} of a scan`;
        if (line === COMMON && size >= SCAN_FROM && ms / scanMs > SCAN_RATIO_MAX) {
          found.misses.push(`A common word takes ${round(ms / scanMs, 3)} of a scan, above 1/20.`);
        }
      }
      found.ours.push(round(worst.ms, 3));
      found.baseline.push(round(unfiltered, 3));
      found.ratio.push(round(worst.ms / unfiltered, 2));
      counters.worst = worst.line;
    }
    const last = found.ratio.at(-1) ?? 1;
    if (last > PAGE_RATIO_MAX) found.misses.push(`${counters.worst} takes ${last} of the unfiltered page, above 2.5.`);
    return {
      metric: 'search',
      sizes,
      ours: found.ours,
      baseline: found.baseline,
      ratio: found.ratio,
      exponent: exponentOf(sizes, found.ours),
      counters,
      ok: found.misses.length === 0,
      misses: found.misses,
    };
  });
}

async function read(database: BenchDatabase, agent: BenchAgent, line: string | null): Promise<string[]> {
  const names = { fields: new Set(['tier', 'amount']), signals: new Set([RARE_CODE]) };
  const filter = { ...NO_CALL_FILTER, line: line === null ? null : readFilter(line, names) };
  const scope = { workspaceId: agent.workspaceId, agentIds: [agent.agentId] };
  const rows = await listCalls(database.within(agent.workspaceId), scope, filter, { after: null, limit: LIMIT });
  return rows.slice(0, LIMIT).map(({ id }) => id);
}

async function timeOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let at = 0; at < times; at += 1) taken.push(await timed(work));
  return median(taken);
}

/** By the minute in which a call began, so that the smaller size is a part of the larger. */
async function addWords({ client }: BenchDatabase): Promise<void> {
  const nth = `(select c.id, c.workspace_id, c.agent_id, row_number() over (order by c.id)::int as n, c.started_at from calls c
    where not exists (select from call_words w where w.call_id = c.id)) as c`;
  await client.query(`insert into call_fields (call_id, workspace_id, agent_id, name, text, number)
    select c.id, c.workspace_id, c.agent_id, f.name, f.text, f.number from ${nth}, lateral (
      select 'tier' as name, case when c.n % 10 < 3 then 'gold' when c.n % 5000 = 4999 then 'platinum' else 'silver' end as text, null::float8 as number
      union all select 'amount', (c.n % 1000)::text, (c.n % 1000)::float8
      union all select '#tag', 'vip', null where c.n % 200 = 7
      union all select 'field_' || k, ((c.n + k) % 50)::text, ((c.n + k) % 50)::float8 from generate_series(1, 18) k) f`);
  await client.query(`insert into call_words (call_id, workspace_id, agent_id, words)
    select c.id, c.workspace_id, c.agent_id, (
      select string_agg('word' || ((c.n::bigint * 7919 + k * 104729) % 20000) || ':' || k, ' ') from generate_series(10, 110) k
    )::tsvector || case when c.n % 2 = 0 then 'cancel:1A my:2A order:3A' when c.n % 20 = 1 then 'cancel:1A my:2A plan:3A' else 'hello:1B' end::tsvector
      || case when c.started_at < '${HISTORY_START}'::timestamptz + interval '10 days' and c.n % 333 = 0 then 'zebra:9' else '' end::tsvector
      || array_to_tsvector(array['agent:' || c.agent_id])
    from ${nth}`);
}

async function scanned(
  { client }: BenchDatabase,
  { agentId }: BenchAgent,
  oracle: string,
): Promise<{ ids: string[]; ms: number }> {
  await client.query(
    'set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off; set jit = off',
  );
  await client.query('reset enable_indexscan');
  let ids: string[] = [];
  const ms = await timed(async () => {
    const { rows } = await client.query<{ id: string }>(
      `select c.id from (select * from calls where agent_id = $1 and state = 'analysed' offset 0) c where ${oracle}
        order by c.sort_at desc, c.id desc limit ${LIMIT}`,
      [agentId],
    );
    ids = rows.map(({ id }) => id);
  });
  await client.query('reset all');
  return { ids, ms };
}
