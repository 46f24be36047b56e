import pg from 'pg';
import { Pool } from 'undici';
import { secretHash } from '../../src/operations/access/secrets.ts';
import { type BenchAgent, loadHistory, makeBenchAgent } from './data.ts';
import { type BenchDatabase, type SentStatement, withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';
import { makeKeys, refill, type ServerProcess, startBare, startProductApi, statementsOfRequest } from './servers.ts';
import { spentBy } from './spans/processor-time.ts';

export const GOAL = '2.5 × the driver; 0.70 of the requests a second of a bare route, for 2.6 × its processor time';

const DEFAULT_SIZES = [10_000, 30_000];
const KEYS = 8;
const CONNECTIONS = 32;
const ONE_BY_ONE = 200;
/** Under the burst of a workspace, whose buckets are filled again before each batch. */
const AT_ONCE = 480;
const BATCHES = 3;
const DRIVER_RATIO_MAX = 2.5;
const THROUGHPUT_RATIO_MIN = 0.7;
/** Whatever else the machine does hardly moves it, so that one round of a small size is enough to notice what got slower. */
const PROCESSOR_RATIO_MAX = 2.6;

/**
 * Metric 2: the first page of the calls list over HTTP, with key, limits and schemas. Beside it the same statements
 * through the driver, one by one, and a bare Fastify route that makes the same trips and presents the same rows. Both
 * servers are processes of their own; the load comes from this one. With `--sizes 1k --rounds 1` it takes some ten seconds.
 */
export async function run({ sizes: given = [], rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const agent = await makeBenchAgent(database.client);
    const keys = await makeKeys(database, agent, KEYS);
    const path = `/v1/agents/${agent.agentId}/calls`;
    const misses: string[] = [];
    const found = {
      ours: [] as number[],
      driver: [] as number[],
      ratio: [] as number[],
      rates: [] as number[],
      spent: [] as number[],
    };
    let statements: SentStatement[] = [];
    let aSecond = 0;
    for (const size of sizes) {
      await loadHistory(database.client, agent, size);
      statements = await statementsOfRequest(database, path, keys[0] ?? '');
      const servers = [
        await startProductApi(database),
        await startBare(database, agent.workspaceId, statements),
      ] as const;
      const [api, bare] = [await openClient(servers[0], path, keys), await openClient(servers[1], '/calls', keys)];
      const spent = spentBy({ api: servers[0].child.pid ?? 0, bare: servers[1].child.pid ?? 0 });
      const driver = await openDriver(database, agent, statements, keys);
      try {
        const batch = (client: Client, count: number, lanes: number) => async () => {
          await refill(database);
          return client.many(count, lanes);
        };
        for (const client of [api, bare, api, bare]) await batch(client, AT_ONCE, CONNECTIONS)();
        await refill(database);
        if (!(await answerAlike(api, bare))) misses.push(`At ${size} calls the bodies differ.`);
        const latency = await alternate(
          rounds,
          async () => {
            await refill(database);
            return median(await api.oneByOne(ONE_BY_ONE));
          },
          async () => {
            await refill(database);
            return driver.oneByOne(ONE_BY_ONE);
          },
        );
        const before = spent();
        const throughput = await alternate(
          rounds * BATCHES,
          batch(api, AT_ONCE, CONNECTIONS),
          batch(bare, AT_ONCE, CONNECTIONS),
        );
        const after = spent();
        const spentOf = (name: 'api' | 'bare') => (after[name] ?? 0) - (before[name] ?? 0);
        if (spentOf('bare') > 0) found.spent.push(round(spentOf('api') / spentOf('bare'), 2));
        found.ours.push(latency.ours);
        found.driver.push(latency.baseline);
        found.ratio.push(latency.ratio);
        found.rates.push(round(1 / throughput.ratio, 3));
        aSecond = Math.round((AT_ONCE / throughput.ours) * 1000);
      } finally {
        await Promise.all([api.close(), bare.close(), driver.close()]);
      }
    }
    const worst = Math.max(...found.ratio);
    const lowest = Math.min(...found.rates);
    if (worst > DRIVER_RATIO_MAX) misses.push(`The median is ${worst} of the driver's, above ${DRIVER_RATIO_MAX}.`);
    if (lowest < THROUGHPUT_RATIO_MIN)
      misses.push(`Requests a second are ${lowest} of the bare ones, under ${THROUGHPUT_RATIO_MIN}.`);
    const most = Math.max(0, ...found.spent);
    if (most > PROCESSOR_RATIO_MAX)
      misses.push(`The processor time of a request is ${most} of the bare route's, above ${PROCESSOR_RATIO_MAX}.`);
    return {
      metric: 'http-list',
      sizes,
      ours: found.ours,
      baseline: found.driver,
      ratio: found.ratio,
      exponent: exponentOf(sizes, found.ours),
      counters: {
        statements: statements.length,
        throughputRatios: found.rates.join(' '),
        processorRatios: found.spent.join(' '),
        requestsASecond: aSecond,
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

interface Client {
  /** Milliseconds of each. */
  oneByOne(count: number): Promise<number[]>;
  /** Milliseconds of all, over so many connections. */
  many(count: number, lanes: number): Promise<number>;
  read(): Promise<unknown>;
  close(): Promise<void>;
}

async function openClient(server: ServerProcess, path: string, keys: string[]): Promise<Client> {
  const pool = new Pool(server.url, { connections: CONNECTIONS, pipelining: 1 });
  let turn = 0;
  const ask = async () => {
    const authorization = `Bearer ${keys[(turn += 1) % keys.length] ?? ''}`;
    const answer = await pool.request({ path, method: 'GET', headers: { authorization } });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`The bench was answered with ${answer.statusCode}: ${text}`);
    return text;
  };
  return {
    async oneByOne(count) {
      const times: number[] = [];
      for (let at = 0; at < count; at += 1) times.push(await timed(ask));
      return times;
    },
    many(count, lanes) {
      let left = count;
      const lane = async () => {
        for (; left > 0; await ask()) left -= 1;
      };
      return timed(() => Promise.all(Array.from({ length: lanes }, lane)));
    },
    read: async () => JSON.parse(await ask()),
    async close() {
      await pool.close();
      await server.stop();
    },
  };
}

/** One connection with the role and the scope of the product's own, and nothing around the statements. */
async function openDriver({ url }: BenchDatabase, agent: BenchAgent, statements: SentStatement[], keys: string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set role earshot_app; select set_config('earshot.workspace', '${agent.workspaceId}', false)`);
  const hashes = keys.map(secretHash);
  let turn = 0;
  const ask = async () => {
    const hash = hashes[(turn += 1) % hashes.length];
    for (const [at, { values, ...statement }] of statements.entries()) {
      await client.query({ ...statement, values: at === 0 ? [hash, ...values.slice(1)] : values });
    }
  };
  return {
    async oneByOne(count: number): Promise<number> {
      const times: number[] = [];
      for (let at = 0; at < count; at += 1) times.push(await timed(ask));
      return median(times);
    },
    close: () => client.end(),
  };
}

/** Cursors are sealed by the product alone; all else is the same. */
async function answerAlike(api: Client, bare: Client): Promise<boolean> {
  const { nextCursor: _sealed, ...ours } = (await api.read()) as Record<string, unknown>;
  return JSON.stringify(ours) === JSON.stringify(await bare.read());
}
