import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { loadHistory, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, median, round } from './measure.ts';
import { residentMb } from './runs/memory.ts';
import { makeKeys, refill, type ServerProcess, startBare, startProductApi, statementsOfRequest } from './servers.ts';

export const GOAL = '2 × a bare Fastify idle and under load; flat over the last half';

const CALLS = 2_000;
const KEYS = 8;
const CONNECTIONS = 8;
/** Under the burst of a workspace, whose buckets are filled again before each batch. */
const BATCH = 480;
const BATCHES_A_ROUND = 4;
const IDLE_MS = 3_000;
const RATIO_MAX = 2;
/** Of the second half of the load over its first: collections come and go by themselves. */
const FLAT_MAX = 1.15;

/**
 * Metric 21, the API's part: resident memory idle and under load, beside a bare Fastify with pg and zod that makes the
 * same trips. Both are processes of their own; the load is pages of the calls list.
 */
export async function run({ rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    await loadHistory(database.client, agent, CALLS);
    const keys = await makeKeys(database, agent, KEYS);
    const path = `/v1/agents/${agent.agentId}/calls`;
    const statements = await statementsOfRequest(database, path, keys[0] ?? '');
    const api = await startProductApi(database);
    const bare = await startBare(database, agent.workspaceId, statements);
    try {
      await sleep(IDLE_MS);
      const idle = { api: residentMb(api.child.pid), bare: residentMb(bare.child.pid) };
      const loaded = { api: [] as number[], bare: [] as number[] };
      for (let at = 0; at < rounds * BATCHES_A_ROUND; at += 1) {
        await load(database, api, path, keys);
        loaded.api.push(residentMb(api.child.pid));
        await load(database, bare, '/calls', keys);
        loaded.bare.push(residentMb(bare.child.pid));
      }
      const half = Math.floor(loaded.api.length / 2);
      // Over the last half of the load: its end beside its beginning.
      const last = loaded.api.slice(half);
      const flat = round(median(last.slice(-3)) / median(last.slice(0, 3)), 3);
      const ratios = [idle.api / idle.bare, median(last) / median(loaded.bare.slice(half))].map((ratio) =>
        round(ratio, 3),
      );
      const misses: string[] = [];
      if ((ratios[0] ?? 0) > RATIO_MAX) misses.push(`Idle it takes ${ratios[0]} of the bare one, above ${RATIO_MAX}.`);
      if ((ratios[1] ?? 0) > RATIO_MAX)
        misses.push(`Under load it takes ${ratios[1]} of the bare one, above ${RATIO_MAX}.`);
      if (flat > FLAT_MAX) misses.push(`Over the last half of the load it grew to ${flat}, above ${FLAT_MAX}.`);
      return {
        metric: 'api-memory',
        sizes: [BATCH * loaded.api.length],
        ours: [],
        baseline: [],
        ratio: ratios,
        exponent: null,
        counters: {
          idleMb: idle.api,
          bareIdleMb: idle.bare,
          loadedMb: median(last),
          bareLoadedMb: median(loaded.bare.slice(half)),
          peakMb: Math.max(...loaded.api),
          lastHalf: flat,
        },
        ok: misses.length === 0,
        misses,
      };
    } finally {
      await Promise.all([api.stop(), bare.stop()]);
    }
  });
}

async function load(database: BenchDatabase, server: ServerProcess, path: string, keys: string[]): Promise<void> {
  await refill(database);
  const pool = new Pool(server.url, { connections: CONNECTIONS, pipelining: 1 });
  let left = BATCH;
  const lane = async () => {
    for (; left > 0; left -= 1) {
      const answer = await pool.request({
        path,
        method: 'GET',
        headers: { authorization: `Bearer ${keys[left % keys.length] ?? ''}` },
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The bench was answered with ${answer.statusCode}.`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  await pool.close();
}
