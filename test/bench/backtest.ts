import { findBacktest, finishBacktest, insertBacktest } from '../../src/db/watches/backtests.ts';
import { insertWatch, setWatchState } from '../../src/db/watches/watches.ts';
import type { WatchForm } from '../../src/domain/watches/watch.ts';
import { judgeWindowOf } from '../../src/services/watches/judge-window.ts';
import { writtenWatch } from '../support/watches.ts';
import { type BenchAgent, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult, exponentOf, timed } from './measure.ts';
import { importWatched } from './watches/import-watched.ts';

export const GOAL = '2 × reading the transcripts of 1,000 calls, 0.6 × from 10,000';

const DEFAULT_SIZES = [1_000, 10_000];
const RATIO_MAX = 2;
const FORM: WatchForm = {
  scope: { kind: 'tool_called', tool: 'change_delivery' },
  expectation: { kind: 'asks_for', words: ['number'], before: null },
  polarity: 'must',
};

/** Metric 18: a backtest by code over an agent's calls, against a driver that reads their transcripts. */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const misses: string[] = [];
    const ours: number[] = [];
    const baseline: number[] = [];
    const ratio: number[] = [];
    let inScope = 0;
    for (const size of sizes) {
      const agent = await makeBenchAgent(database.client);
      await importWatched(database, agent, 0, size);
      await database.client.query('vacuum analyze');
      const measured = await alternate(
        rounds,
        () => timed(async () => (inScope = await backtest(database, agent))),
        () => timed(() => readTranscripts(database, agent)),
      );
      ours.push(measured.ours);
      baseline.push(measured.baseline);
      ratio.push(measured.ratio);
    }
    const worst = Math.max(...ratio);
    if (worst > RATIO_MAX) misses.push(`It takes ${worst} of reading the transcripts, above ${RATIO_MAX}.`);
    const exponent = exponentOf(sizes, ours);
    const ok = misses.length === 0;
    return { metric: 'backtest', sizes, ours, baseline, ratio, exponent, counters: { inScope }, ok, misses };
  });
}

async function backtest(database: BenchDatabase, { workspaceId, agentId }: BenchAgent): Promise<number> {
  const em = () => database.within(workspaceId);
  const made = writtenWatch({ workspaceId, agentId }, { form: FORM });
  const watchId = await insertWatch(em(), made);
  const key = { workspaceId, agentId, watchId, revision: 1 };
  await insertBacktest(em(), { ...key, createdBy: made.createdBy });
  await setWatchState(em(), watchId, 'backtesting');
  while ((await judgeWindowOf(em(), key)).state === 'more');
  await finishBacktest(em(), key);
  return (await findBacktest(em(), key))?.inScope ?? 0;
}

async function readTranscripts({ client }: BenchDatabase, { agentId }: BenchAgent): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    'select id from calls where agent_id = $1 order by sort_at desc',
    [agentId],
  );
  for (let at = 0; at < rows.length; at += 100) {
    const ids = rows.slice(at, at + 100).map(({ id }) => id);
    await client.query('select call from transcripts where call_id = any($1::uuid[])', [ids]);
  }
}
