import { createAnalyser } from '../../src/analyser/analyser.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import { NO_MODELS } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createVault } from '../../src/secrets.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import { NO_SOUND } from '../support/no-sound.ts';
import { sendOutbox } from '../support/outbox.ts';
import {
  openNamespace,
  SHORT_PATIENCE,
  startWorkers,
  storeAgent,
  TEST_SECRET,
  type TestTemporal,
  untilTrue,
} from '../support/pipeline.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { startTestTemporal } from '../support/test-temporal-server.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round } from './measure.ts';
import { startServer } from './servers.ts';

export const GOAL = '1.25 × what the platform alone takes';

const DEFAULT_SIZES = [200, 500];
const LATENCY_MS = 100;
/** Requests that an import has in flight at one key. */
const IN_FLIGHT = 4;
const RATIO_MAX = 1.25;
const LONGEST_MS = 600_000;

/**
 * Metric 7, for the part of an import that waits for others: from the order to the last analysed call, of a platform
 * that takes 100 ms for each answer, through the real pipeline on Temporal. The baseline is what the platform alone
 * takes with as many requests in flight: calls × latency / 4.
 */
export async function run({ sizes: given = [], rounds = 2 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const folder = openTestFolder(true);
  const server = await startTestTemporal(folder.path);
  try {
    if (server.address === null) throw new Error('This bench needs a Temporal server.');
    const temporal = await openNamespace(server.address);
    try {
      return await withBenchDatabase((database) => measure(database, temporal, sizes, rounds), 8);
    } finally {
      await temporal.close();
    }
  } finally {
    await server.stop();
    folder.remove();
  }
}

async function measure(
  database: BenchDatabase,
  temporal: TestTemporal,
  sizes: number[],
  rounds: number,
): Promise<BenchResult> {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const analyser = createAnalyser();
  const vault = createVault(TEST_SECRET);
  const platforms = createPlatforms({ outbound, demoUrl: null });
  const deps = {
    database,
    vault,
    platforms,
    analyser,
    models: NO_MODELS,
    ...NO_SOUND,
    receivers: outbound,
    mailer: null,
    mailDomains: [],
    publicUrl: 'https://earshot.example.com',
    isNamed: false,
    conversationSlots: 4,
    storageMib: null,
    requestsASecond: null,
    patience: SHORT_PATIENCE,
  };
  const stopWorkers = await startWorkers(deps, temporal);
  const ours: number[] = [];
  const misses: string[] = [];
  let peak = 0;
  try {
    for (const size of sizes) {
      const times: number[] = [];
      for (let at = 0; at < rounds; at += 1) {
        const one = await importOnce(database, temporal, vault, size);
        times.push(one.ms);
        peak = Math.max(peak, one.peak);
        misses.push(...one.misses);
      }
      ours.push(round(median(times), 1));
    }
  } finally {
    await stopWorkers();
    await analyser.close();
    await outbound.close();
  }
  const baseline = sizes.map((size) => (size * LATENCY_MS) / IN_FLIGHT);
  const ratio = ours.map((ms, index) => round(ms / (baseline[index] ?? Number.NaN), 3));
  const last = ratio.at(-1) ?? Number.NaN;
  if (last > RATIO_MAX) misses.push(`The import takes ${last} of what the platform alone takes, above ${RATIO_MAX}.`);
  return {
    metric: 'slow-platform',
    sizes,
    ours,
    baseline,
    ratio,
    exponent: exponentOf(sizes, ours),
    counters: { latencyMs: LATENCY_MS, inFlight: IN_FLIGHT, peak },
    ok: misses.length === 0,
    misses,
  };
}

async function importOnce(
  database: BenchDatabase,
  temporal: TestTemporal,
  vault: ReturnType<typeof createVault>,
  calls: number,
): Promise<{ ms: number; peak: number; misses: string[] }> {
  const platform = await startServer('test/bench/servers/slow-platform.ts', {
    BENCH_CALLS: String(calls),
    BENCH_LATENCY_MS: String(LATENCY_MS),
  });
  try {
    const agent = await storeAgent(database.em(), vault, { provider: 'retell', baseUrl: platform.url });
    const start = performance.now();
    await database.within(agent.workspaceId).transactional(async (tx) => {
      const request = await createImport(tx, { ...agent, kind: 'first', limit: calls, from: null });
      const coordinator = { ...agent, agentName: 'Bench', pollSeconds: null };
      await addToOutbox(tx, { entry: importEntry(coordinator, request), ...agent });
    });
    await sendOutbox({ database, temporal: temporal.gateway });
    let seen = { status: '', analysed: 0 };
    await untilTrue(async () => {
      seen = await progressOf(database, agent.agentId);
      return seen.status === 'complete' || seen.status === 'failed';
    }, LONGEST_MS);
    const ms = performance.now() - start;
    const log = (await (await fetch(`${platform.url}/log`)).json()) as { reads: number; peak: number };
    const misses: string[] = [];
    if (seen.analysed !== calls) misses.push(`${seen.analysed} of ${calls} calls were analysed (${seen.status}).`);
    if (log.reads !== calls) misses.push(`${calls} calls were read ${log.reads} times.`);
    if (log.peak > IN_FLIGHT) misses.push(`${log.peak} requests were in flight at once, above ${IN_FLIGHT}.`);
    return { ms, peak: log.peak, misses };
  } finally {
    await platform.stop();
  }
}

async function progressOf({ client }: BenchDatabase, agentId: string): Promise<{ status: string; analysed: number }> {
  const { rows } = await client.query<{ status: string; analysed: string }>(
    `select (select status from imports where agent_id = $1 order by created_at desc limit 1) as status,
       (select count(*) from calls where agent_id = $1 and state = 'analysed') as analysed`,
    [agentId],
  );
  return { status: rows[0]?.status ?? '', analysed: Number(rows[0]?.analysed ?? 0) };
}
