import { parseArgs } from 'node:util';
import { request } from 'undici';
import { RATE_LIMITS } from '../../src/domain/limits/rate-limits.ts';
import { addBenchAgent, type BenchAgent, loadHistory, makeBenchAgent } from '../bench/data.ts';
import { type BenchDatabase, withBenchDatabase } from '../bench/database.ts';
import { residentMb } from '../bench/runs/memory.ts';
import { makeKey, makeKeys, refill, type ServerProcess, startProductApi, startServer } from '../bench/servers.ts';
import { askAtRate, type Load, type Summary, summaryOf } from './open-loop.ts';
import { printDay } from './print-day.ts';
import { openReader, type Reader, readsOf } from './reads.ts';

/**
 * `npm run load`: reads of an agent at fixed rates against one API and two, alone and beside an import that stores and
 * analyses calls as fast as it can; then one key that asks for ten times what it may, beside a workspace that asks for
 * little. Times count from when a request was due, so that queueing shows.
 */
const USAGE =
  'npm run load -- [--seconds 20] [--rates 10,50,100,200] [--calls 20000], or: npm run load -- simulate [--agents 5000] [--calls 100000000]';
const KEYS = 40;
const CALLS_READ = 50;
const ALLOWED_A_SECOND = RATE_LIMITS.requests.perMinute / 60;
const QUIET_A_SECOND = 5;
const OVERLOAD = 10;
const REFILL_MS = 500;

interface Options {
  seconds: number;
  rates: number[];
  calls: number;
}

interface System {
  database: BenchDatabase;
  agent: BenchAgent;
  keys: string[];
  callIds: string[];
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      rates: { type: 'string', default: '10,50,100,200' },
      calls: { type: 'string', default: '20000' },
    },
  });
  const rates = values.rates.split(',').map(Number);
  const options = { seconds: Number(values.seconds), rates, calls: Number(values.calls) };
  if ([options.seconds, options.calls, ...rates].some((value) => !(value > 0))) throw new Error(USAGE);
  return options;
}

async function main({ seconds, rates, calls }: Options): Promise<number> {
  return withBenchDatabase(async (database) => {
    const system = await prepare(database, calls);
    let failed = 0;
    for (const count of [1, 2]) {
      const apis = await Promise.all(Array.from({ length: count }, () => startProductApi(database)));
      try {
        for (const beside of ['nothing', 'an import'] as const) {
          console.log(
            `\n${count === 1 ? 'One API' : `${count} APIs`} over ${calls} calls, beside ${beside}, ${seconds} s a rate`,
          );
          failed += await readAtRates(system, apis, rates, seconds, beside === 'an import');
        }
        if (count === 1) failed += await overload(system, apis, seconds);
      } finally {
        await Promise.all(apis.map((api) => api.stop()));
      }
    }
    console.log(failed === 0 ? '\nNothing failed.' : `\n${failed} requests failed, or were refused untruly.`);
    return failed === 0 ? 0 : 1;
  });
}

async function prepare(database: BenchDatabase, calls: number): Promise<System> {
  const agent = await makeBenchAgent(database.client);
  await loadHistory(database.client, agent, calls);
  const keys = await makeKeys(database, agent, KEYS);
  const { rows } = await database.client.query<{ id: string }>(
    'select id from calls where agent_id = $1 order by id limit $2',
    [agent.agentId, CALLS_READ],
  );
  return { database, agent, keys, callIds: rows.map(({ id }) => id) };
}

/** @returns how many requests failed */
async function readAtRates(
  system: System,
  apis: ServerProcess[],
  rates: number[],
  seconds: number,
  imports: boolean,
): Promise<number> {
  const reader = await readerOf(system, apis);
  const importing = imports ? await startImport(system) : null;
  // What is measured is the servers, not the limits, whose buckets are filled again all along.
  let filled = Promise.resolve();
  const filling = setInterval(() => {
    filled = filled.then(() => refill(system.database));
  }, REFILL_MS);
  let failed = 0;
  console.log(HEAD);
  try {
    for (const rate of rates) {
      const load = await askAtRate(rate, seconds, reader.read);
      const summary = summaryOf(load.answers);
      failed += summary.failed;
      console.log(lineOf(`${rate}/s`, summary, load, memoryOf(apis)));
    }
  } finally {
    clearInterval(filling);
    await filled;
    await reader.close();
    await importing?.stop();
  }
  return failed;
}

/** One key asks for ten times what it may; another workspace reads on as before. */
async function overload(system: System, apis: ServerProcess[], seconds: number): Promise<number> {
  const [greedyKey = ''] = system.keys;
  const { agentId, key } = await quietWorkspace(system);
  const reads = readsOf(system.agent, system.callIds);
  const urls = apis.map(({ url }) => url);
  const greedy = openReader(urls, [greedyKey], reads);
  const quiet = openReader(urls, [key], [{ name: 'calls', path: `/v1/agents/${agentId}/calls` }]);
  try {
    console.log(
      `\nOne key at ${OVERLOAD} times its allowance, beside another workspace at ${QUIET_A_SECOND} requests a second`,
    );
    console.log(HEAD);
    await refill(system.database);
    const idle = await askAtRate(QUIET_A_SECOND, seconds, quiet.read);
    console.log(lineOf('quiet, alone', summaryOf(idle.answers), idle, memoryOf(apis)));
    const [beside, over] = await Promise.all([
      askAtRate(QUIET_A_SECOND, seconds, quiet.read),
      askAtRate(ALLOWED_A_SECOND * OVERLOAD, seconds, greedy.read),
    ]);
    const [quietly, greedily] = [summaryOf(beside.answers), summaryOf(over.answers)];
    console.log(lineOf('quiet, beside', quietly, beside, memoryOf(apis)));
    console.log(lineOf('ten times', greedily, over, memoryOf(apis)));
    return quietly.failed + quietly.refused + greedily.failed + greedily.withoutRetryAfter;
  } finally {
    await Promise.all([greedy.close(), quiet.close()]);
  }
}

async function readerOf({ agent, keys, callIds }: System, apis: ServerProcess[]): Promise<Reader> {
  const reads = readsOf(agent, callIds);
  const urls = apis.map(({ url }) => url);
  // The first requests of a process compile what the others use.
  for (const url of urls) {
    for (const { path } of reads.slice(0, 10)) {
      const { statusCode, body } = await request(`${url}${path}`, { headers: { authorization: `Bearer ${keys[0]}` } });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${text}`);
    }
  }
  return openReader(urls, keys, reads);
}

/** It writes to an agent of its own, so that what is read stays the same. */
async function startImport({ database, agent }: System): Promise<ServerProcess> {
  const { agentId } = await addBenchAgent(database.client, agent.workspaceId);
  return startServer('test/bench/servers/load.ts', {
    DATABASE_URL: database.url,
    BENCH_LOAD: 'import',
    BENCH_WORKSPACE: agent.workspaceId,
    BENCH_AGENT: agentId,
  });
}

async function quietWorkspace({ database }: System): Promise<{ agentId: string; key: string }> {
  const { workspaceId, secret: key } = await makeKey(database);
  const { agentId } = await addBenchAgent(database.client, workspaceId);
  return { agentId, key };
}

const memoryOf = (apis: ServerProcess[]) => apis.map(({ child }) => Math.round(residentMb(child.pid))).join(' + ');

const COLUMNS = ['', 'asked', 'answered', 'refused', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'at once', 'API MB'];
const WIDTHS = [14, 7, 9, 8, 7, 8, 8, 8, 8, 12];
const row = (cells: readonly (string | number)[]) =>
  cells
    .map((cell, at) => (at === 0 ? String(cell).padEnd(WIDTHS[0] ?? 0) : String(cell).padStart(WIDTHS[at] ?? 0)))
    .join('');
const HEAD = row(COLUMNS);

function lineOf(name: string, summary: Summary, { mostAtOnce }: Load, memory: string): string {
  const { asked, answered, refused, failed, p50, p95, p99 } = summary;
  const times = [p50, p95, p99].map((ms) => (ms === null ? '–' : ms.toFixed(1)));
  return row([name, asked, answered, refused, failed, ...times, mostAtOnce, memory]);
}

const [first, ...others] = process.argv.slice(2);
process.exitCode = first === 'simulate' ? printDay(others) : await main(readOptions(process.argv.slice(2)));
