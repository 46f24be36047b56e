import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { testVault } from '../support/analysed-calls.ts';
import { type BenchAgent, loadHistory, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { arrivingCall } from './generator.ts';
import { alternate, type BenchOptions, type BenchResult, exponentOf, growsBeyond, round, timed } from './measure.ts';

export const GOAL = '1/20 of a full regroup at a million calls; growth 0.15';

export const DEFAULT_SIZES = [10_000, 30_000, 100_000];
const ARRIVING = 100;
const RATIO_MAX = 1 / 20;
const EXPONENT_MAX = 0.15;

/** Metric 10: grouping after 100 new calls on H old ones, against a full regroup of the same agent. */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const times = { ours: [] as number[], baseline: [] as number[], ratio: [] as number[], store: [] as number[] };
    const misses: string[] = [];
    let spread = '';
    let issues = 0;
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
      await database.client.query('vacuum analyze');
      let arrived = size * 100;
      let board: unknown = null;
      const measured = await alternate(
        rounds,
        async () => {
          times.store.push(await timed(() => arrive(database, agent, arrived)));
          arrived += ARRIVING;
          const ms = await timed(() =>
            recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'incremental'),
          );
          board = await readBoard(database, agent);
          return ms;
        },
        async () => {
          let changed = 0;
          const ms = await timed(async () => {
            const result = await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
            changed = result.changed;
            issues = result.issues;
          });
          if (changed > 0) misses.push(`A full regroup of ${size} calls changed ${changed} issues.`);
          if (JSON.stringify(board) !== JSON.stringify(await readBoard(database, agent))) {
            misses.push(`Keys, volumes, ranks or statuses differ from a full regroup at ${size} calls.`);
          }
          return ms;
        },
      );
      times.ours.push(measured.ours);
      times.baseline.push(measured.baseline);
      times.ratio.push(measured.ratio);
      spread += `${size}: ${measured.spread.join(' to ')}; `;
    }
    const exponent = exponentOf(sizes, times.ours);
    // The bar for the ratio is set at a million calls: on a short history a full regroup is cheap as well.
    const largest = times.ratio.at(-1) ?? 1;
    if (Math.max(...sizes) >= 1_000_000 && largest > RATIO_MAX) misses.push(`The ratio is ${largest}, above 1/20.`);
    if (growsBeyond(sizes, exponent, EXPONENT_MAX)) misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    return {
      metric: 'grouping',
      sizes,
      ours: times.ours,
      baseline: times.baseline,
      ratio: times.ratio,
      exponent,
      counters: {
        issues,
        spread,
        storeOf100CallsMs: round(Math.min(...times.store), 1),
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

async function arrive(database: BenchDatabase, agent: BenchAgent, from: number): Promise<void> {
  const made = Array.from({ length: ARRIVING }, (_, index) => arrivingCall(from + index));
  const { agentId, workspaceId } = agent;
  const calls = made.map(({ call }) => ({ payload: {}, call }));
  await storeCalls(database.within(workspaceId), { workspaceId, agentId, importId: null, vault: testVault, calls });
  const { rows } = await database.client.query<{ id: string; name: string }>(
    'select id, provider_call_id as name from calls where agent_id = $1 and provider_call_id = any($2::text[])',
    [agentId, made.map(({ call }) => call.providerCallId)],
  );
  const ids = new Map(rows.map((row) => [row.name, row.id]));
  const analyses = made.map(({ call, analysis }) => ({ callId: ids.get(call.providerCallId) ?? '', analysis }));
  await storeAnalyses(database.within(workspaceId), { workspaceId, agentId, analyses });
}

async function readBoard({ client }: BenchDatabase, { agentId }: BenchAgent) {
  const { rows } = await client.query(
    `select key, volume, order_key, status, section, downstream_of_id from issues where agent_id = $1
     order by section = 'not_established', fell_on_live, order_key desc, id`,
    [agentId],
  );
  return rows;
}
