import { type CallFilter, listCalls, NO_CALL_FILTER } from '../../src/db/calls/read-calls.ts';
import { newId } from '../../src/ids.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { type BenchAgent, codes, HISTORY_DAYS, HISTORY_START, loadHistory, makeBenchAgent, RARE_CODE } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';

export const GOAL = '1/20 of an array predicate at a million calls; one filter at 2.5 × the unfiltered list';

const DEFAULT_SIZES = [10_000, 30_000];
const LIMIT = 25;
const NAIVE_RATIO_MAX = 1 / 20;
const ONE_FILTER_RATIO_MAX = 2.5;
/** The naive way costs a scan only where there is something to scan. */
const NAIVE_FROM = 1_000_000;
const TRIES = 5;

type Filter = Partial<CallFilter>;
interface Case {
  name: string;
  filter: CallFilter;
  filters: number;
  /** Made of the rarest value of each filter: where an array predicate along the list's index takes longest. */
  rarest: boolean;
}

/**
 * Metric 3: every combination of up to three filters of the calls list, of common, rare and absent values. The baseline
 * walks the list's index and looks at each call, an array of codes included; the gate is a sequential scan.
 */
export async function run({ sizes: given = [], rounds = TRIES }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const found = { ours: [] as number[], naive: [] as number[], ratio: [] as number[], wrong: new Set<string>() };
    let oneFilter = { name: '', ratio: 0 };
    let worstName = '';
    let count = 0;
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
      await database.client.query('vacuum analyze');
      const cases = combine(await valuesOf(database, agent));
      count = cases.length;
      const unfiltered = await timeOf(rounds * 4, () => read(database, agent, NO_CALL_FILTER));
      oneFilter = { name: '', ratio: 0 };
      let worst = 0;
      let naiveWorst = 0;
      for (const each of cases) {
        const expected = await scanned(database, agent, each.filter);
        const ids = (await read(database, agent, each.filter)).map(({ id }) => id);
        if (ids.join() !== expected.join()) found.wrong.add(each.name);
        const ms = await timeOf(rounds, () => read(database, agent, each.filter));
        if (ms > worst) [worst, worstName] = [ms, each.name];
        if (each.filters === 1 && ms / unfiltered > oneFilter.ratio) {
          // Once more beside the unfiltered list, so that one busy moment is no finding.
          const again = await timeOf(rounds * 4, () => read(database, agent, each.filter));
          const beside = await timeOf(rounds * 4, () => read(database, agent, NO_CALL_FILTER));
          const ratio = Math.min(ms / unfiltered, again / beside);
          if (ratio > oneFilter.ratio) oneFilter = { name: each.name, ratio };
        }
        if (each.rarest) naiveWorst = Math.max(naiveWorst, await naive(database, agent, each.filter));
      }
      found.ours.push(round(worst, 3));
      found.naive.push(round(naiveWorst, 3));
      found.ratio.push(round(worst / naiveWorst, 4));
    }
    const misses = [...found.wrong].map((name) => `${name}: other calls than a sequential scan finds.`);
    const largest = found.ratio.at(-1) ?? 1;
    if (Math.max(...sizes) >= NAIVE_FROM && largest > NAIVE_RATIO_MAX)
      misses.push(`The worst combination (${worstName}) takes ${largest} of the naive worst, above 1/20.`);
    if (oneFilter.ratio > ONE_FILTER_RATIO_MAX)
      misses.push(`${oneFilter.name} alone takes ${round(oneFilter.ratio, 2)} of the unfiltered list, above 2.5.`);
    return {
      metric: 'filters',
      sizes,
      ours: found.ours,
      baseline: found.naive,
      ratio: found.ratio,
      exponent: exponentOf(sizes, found.ours),
      counters: {
        combinations: count,
        worst: worstName,
        worstOneFilter: oneFilter.name,
        oneFilterRatio: round(oneFilter.ratio, 2),
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

const scopeOf = ({ workspaceId, agentId }: BenchAgent) => ({ workspaceId, agentIds: [agentId] });

const read = async (database: BenchDatabase, agent: BenchAgent, filter: CallFilter) => {
  const rows = await listCalls(database.within(agent.workspaceId), scopeOf(agent), filter, {
    after: null,
    limit: LIMIT,
  });
  return rows.slice(0, LIMIT);
};

async function timeOf(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let at = 0; at < times; at += 1) taken.push(await timed(work));
  return median(taken);
}

/** The values of each filter from common to rare; the last one is met by few calls or none. */
async function valuesOf({ client }: BenchDatabase, { agentId }: BenchAgent): Promise<Record<string, Filter[]>> {
  const { rows } = await client.query<{ id: string }>(
    `select id from issues where agent_id = $1 and volume > 0 order by volume desc, id`,
    [agentId],
  );
  const at = (days: number) => new Date(Date.parse(`${HISTORY_START}T00:00:00.000Z`) + days * 86_400_000).toISOString();
  return {
    version: [{ version: 41 }, { version: 1 }, { version: 17 }],
    issue: [{ issueId: rows[0]?.id ?? newId() }, { issueId: rows.at(-1)?.id ?? newId() }, { issueId: newId() }],
    signal: [{ signal: codes()[0] ?? '' }, { signal: RARE_CODE }, { signal: 'no_such_code' }],
    outcome: [{ outcome: 'resolved' }, { outcome: 'no_contact' }],
    started: [
      { startedFrom: at(HISTORY_DAYS - 2) },
      { startedFrom: at(10), startedBefore: at(11) },
      { startedFrom: at(HISTORY_DAYS + 100) },
    ],
    intent: [{ intent: 'intent_0' }, { intent: 'intent_19' }, { intent: 'no_such_intent' }],
  };
}

function combine(values: Record<string, Filter[]>): Case[] {
  const grown = (from: Case, name: string, value: Filter, isLast: boolean): Case => ({
    name: `${from.name}${from.name && ' + '}${name}=${Object.values(value).join('..')}`,
    filter: { ...from.filter, ...value },
    filters: from.filters + 1,
    rarest: from.rarest && isLast,
  });
  let cases: Case[] = [{ name: '', filter: NO_CALL_FILTER, filters: 0, rarest: true }];
  for (const [name, list] of Object.entries(values)) {
    const added = cases
      .filter((each) => each.filters < 3)
      .flatMap((each) => list.map((value, nth) => grown(each, name, value, nth === list.length - 1)));
    cases = [...cases, ...added];
  }
  return cases.filter(({ filters }) => filters > 0);
}

/** One condition a filter; an expression over the column keeps every index but the list's own out. */
function conditions(filter: CallFilter, agentId: string): { where: string; values: unknown[] } {
  const values: unknown[] = [agentId];
  const parts = [`c.agent_id = $1 and c.state = 'analysed'`];
  const add = (text: string, value: unknown) => {
    if (value === null) return;
    values.push(value);
    parts.push(text.replace('?', `$${values.length}`));
  };
  add('c.version + 0 = ?::int', filter.version);
  add(`c.outcome || '' = ?`, filter.outcome);
  add('c.signal_codes @> array[?::text]', filter.signal);
  add(`c.intent_slug || '' = ?`, filter.intent);
  add('c.started_at >= ?::timestamptz', filter.startedFrom);
  add('c.started_at < ?::timestamptz', filter.startedBefore);
  // Kept a question of each call by the offset.
  add('exists (select 1 from issue_calls x where x.call_id = c.id and x.issue_id = ?::uuid offset 0)', filter.issueId);
  return { where: parts.join(' and '), values };
}

const ORDER = `order by c.sort_at desc, c.id desc limit ${LIMIT}`;

async function naive({ client }: BenchDatabase, { agentId }: BenchAgent, filter: CallFilter): Promise<number> {
  const { where, values } = conditions(filter, agentId);
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off');
  const ms = await timed(() => client.query(`select c.* from calls c where ${where} ${ORDER}`, values));
  await client.query('reset enable_seqscan; reset enable_bitmapscan; reset enable_sort');
  return ms;
}

async function scanned({ client }: BenchDatabase, { agentId }: BenchAgent, filter: CallFilter): Promise<string[]> {
  const { where, values } = conditions(filter, agentId);
  await client.query('set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off');
  // An issue's links may still be looked up: they are what the issue is.
  const { rows } = await client.query<{ id: string }>(
    `select c.id from calls c where ${where.replace(' offset 0', '')} ${ORDER}`,
    values,
  );
  await client.query('reset enable_indexscan; reset enable_bitmapscan; reset enable_indexonlyscan');
  return rows.map(({ id }) => id);
}
