import { request } from 'undici';
import { addBenchAgent, loadHistory, makeBenchAgent } from './data.ts';
import { withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult, median, round } from './measure.ts';
import { makeKeys, refill, startProductApi, startServer } from './servers.ts';

export const GOAL = '1.5 × the same list while rows are copied in';

const DEFAULT_SIZES = [10_000];
const REQUESTS_A_SECOND = 10;
const SECONDS = 8;
const KEYS = 4;
const RATIO_MAX = 1.5;

/**
 * Metric 22, without runs, which are not there yet: the calls list over HTTP at ten requests a second while an import
 * stores and analyses calls as fast as it can, beside the same list while rows are copied in. A fixed rate shows the
 * queueing that a closed loop hides. Loads and API are processes of their own.
 */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const [size = 10_000] = given.length > 0 ? given : DEFAULT_SIZES;
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    await loadHistory(database.client, agent, size);
    // The loads write to an agent of their own, so that the list that is read stays the same.
    const other = await addBenchAgent(database.client, agent.workspaceId);
    const keys = await makeKeys(database, agent, KEYS);
    const api = await startProductApi(database);
    const ask = `${api.url}/v1/agents/${agent.agentId}/calls`;
    const statuses = new Map<number, number>();
    try {
      const beside = (load: 'import' | 'copy') => async () => {
        await refill(database);
        const worker = await startServer('test/bench/servers/load.ts', {
          DATABASE_URL: database.url,
          BENCH_LOAD: load,
          BENCH_WORKSPACE: other.workspaceId,
          BENCH_AGENT: other.agentId,
        });
        try {
          return median(await askAtRate(ask, keys, statuses));
        } finally {
          await worker.stop();
        }
      };
      const { ours, baseline, ratio, spread } = await alternate(rounds, beside('import'), beside('copy'));
      const failed = [...statuses].filter(([status]) => status !== 200);
      const misses = failed.map(([status, count]) => `${count} requests were answered with ${status}.`);
      if (ratio > RATIO_MAX) misses.push(`The median is ${ratio} of the one beside COPY, above ${RATIO_MAX}.`);
      return {
        metric: 'mixed-load',
        sizes: [size],
        ours: [ours],
        baseline: [baseline],
        ratio: [ratio],
        exponent: null,
        counters: { spread: spread.map((one) => round(one, 2)).join(' to '), requests: statuses.get(200) ?? 0 },
        ok: misses.length === 0,
        misses,
      };
    } finally {
      await api.stop();
    }
  });
}

/** Milliseconds of each answer, counted from when it was due: a late start is part of what a client waits. */
async function askAtRate(url: string, keys: string[], statuses: Map<number, number>): Promise<number[]> {
  const start = performance.now();
  const asked = Array.from({ length: REQUESTS_A_SECOND * SECONDS }, async (_, nth) => {
    const dueMs = start + (nth * 1_000) / REQUESTS_A_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    const authorization = `Bearer ${keys[nth % keys.length] ?? ''}`;
    const { statusCode, body } = await request(url, { headers: { authorization } });
    await body.text();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    return performance.now() - dueMs;
  });
  return Promise.all(asked);
}
