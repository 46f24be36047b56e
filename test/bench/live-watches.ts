import { judgeStored, liveWatches } from '../../src/db/watches/live.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import type { WatchForm } from '../../src/domain/watches/watch.ts';
import { writtenWatch } from '../support/watches.ts';
import { type BenchAgent, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult, round } from './measure.ts';
import { importWatched } from './watches/import-watched.ts';

export const GOAL = '15 % over the same import without watches';

const DEFAULT_SIZES = [1_000];
const WATCHES = 50;
const RATIO_MAX = 1.15;

/** Metric 28: reading and storing batches of calls with 50 live watches, against the same without any. */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const [watched, bare] = [await makeBenchAgent(database.client), await makeBenchAgent(database.client)];
    await makeWatches(database, watched);
    const misses: string[] = [];
    const ours: number[] = [];
    const baseline: number[] = [];
    const ratio: number[] = [];
    let at = 0;
    await Promise.all([watched, bare].map((agent) => importWatched(database, agent, at, 300)));
    for (const size of sizes) {
      const next = (agent: BenchAgent) => importWatched(database, agent, at, size);
      const measured = await alternate(
        rounds,
        async () => next(watched),
        async () => {
          const ms = await next(bare);
          at += size;
          return ms;
        },
      );
      ours.push(measured.ours);
      baseline.push(measured.baseline);
      ratio.push(measured.ratio);
    }
    misses.push(...(await differences(database, watched)));
    const worst = Math.max(...ratio);
    if (worst > RATIO_MAX) misses.push(`It takes ${worst} of storing without watches, above ${RATIO_MAX}.`);
    const exponent = null;
    const counters = { watches: WATCHES, verdicts: await countVerdicts(database, watched), share: round(worst - 1, 3) };
    return {
      metric: 'live-watches',
      sizes,
      ours,
      baseline,
      ratio,
      exponent,
      counters,
      ok: misses.length === 0,
      misses,
    };
  });
}

const WORDS = ['moment', 'look that up', 'goodbye', 'thank you', 'parcel desk'];

function formOf(nth: number): WatchForm {
  const text = WORDS[nth % WORDS.length] ?? 'goodbye';
  const said: WatchForm = { scope: { kind: 'all_calls' }, expectation: { kind: 'says', text }, polarity: 'must' };
  const called: WatchForm = {
    scope: { kind: 'tool_called', tool: 'change_delivery' },
    expectation: { kind: 'asks_for', words: ['number'], before: null },
    polarity: 'must',
  };
  const failed: WatchForm = {
    scope: { kind: 'tool_failed', tool: 'change_delivery' },
    expectation: { kind: 'says', act: 'promises', about: [] },
    polarity: 'must_not',
  };
  const ended: WatchForm = { ...said, expectation: { kind: 'ends_within', seconds: 60 + nth } };
  return [called, failed, ended, called, said][nth % 5] ?? said;
}

async function makeWatches(database: BenchDatabase, agent: BenchAgent): Promise<void> {
  const em = database.within(agent.workspaceId);
  for (let nth = 0; nth < WATCHES; nth += 1) {
    const watchId = await insertWatch(em, writtenWatch(agent, { name: `Watch ${nth}`, form: formOf(nth) }));
    await setWatchState(em, watchId, 'live');
  }
}

/** Verdicts kept while storing must be those of a backtest over the same calls. */
async function differences(database: BenchDatabase, { workspaceId, agentId }: BenchAgent): Promise<string[]> {
  const em = database.within(workspaceId);
  const by = await liveWatches(em, agentId);
  const { rows: calls } = await database.client.query<{ id: string }>(
    'select id from calls where agent_id = $1 order by id desc limit 300',
    [agentId],
  );
  const judged = await judgeStored(
    em,
    agentId,
    calls.map(({ id }) => id),
    by,
  );
  const { rows } = await database.client.query<{ key: string }>(
    `select call_id || ' ' || watch_id || ' ' || held as key from watch_verdicts where call_id = any($1::uuid[])`,
    [calls.map(({ id }) => id)],
  );
  const kept = new Set(rows.map(({ key }) => key));
  const wanted = [...judged].flatMap(([callId, { verdicts }]) =>
    verdicts.map(({ watchId, held }) => `${callId} ${watchId} ${held}`),
  );
  const missing = wanted.filter((key) => !kept.has(key)).length;
  const extra = kept.size - (wanted.length - missing);
  return missing + extra === 0 ? [] : [`${missing} verdicts are missing and ${extra} are not a backtest's.`];
}

async function countVerdicts({ client }: BenchDatabase, { agentId }: BenchAgent): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    'select count(*)::int as n from watch_verdicts where agent_id = $1',
    [agentId],
  );
  return rows[0]?.n ?? 0;
}
