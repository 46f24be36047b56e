import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { loadForAnalysis } from '../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../src/db/calls/store-calls.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { testVault } from '../support/analysed-calls.ts';
import { findStrayQuotes } from '../support/stray-quotes.ts';
import { type BenchAgent, makeBenchAgent } from './data.ts';
import { type BenchDatabase, watchStatements, withBenchDatabase } from './database.ts';
import { benchCall } from './generator.ts';
import { type BenchOptions, type BenchResult, exponentOf, growsBeyond, median, round, timed } from './measure.ts';

export const GOAL = '0.10 of COPY; 0.2 statements and 4 kB of log a call; growth 1.05';

export const DEFAULT_SIZES = [500, 1_500, 5_000];
const BATCH = 100;
const SPEED_MIN = 0.1;
const STATEMENTS_MAX = 0.2;
const WAL_KB_MAX = 4;
/** Larger imports are the same calls again, and their transcripts would not fit into memory at once. */
const QUOTES_CHECKED_UP_TO = 10_000;

/** Metric 6: store, analyse by rules and store the readings, against COPY of the same rows into three tables. */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    await makeBenchAgent(database.client);
    const ours: number[] = [];
    const baseline: number[] = [];
    const ratio: number[] = [];
    const misses: string[] = [];
    const shares = { analyse: 0, all: 0 };
    let statements = 0;
    let walKb = 0;
    let start = 0;
    await importAll(database, start, 300);
    start += 300;
    for (const size of sizes) {
      const pairs: { ours: number; baseline: number }[] = [];
      for (let at = 0; at < rounds; at += 1) {
        const done = await importAll(database, start, size);
        start += size;
        const copied = await copyRows(database, done.agent);
        pairs.push({ ours: done.ms, baseline: copied });
        shares.analyse += done.analyseMs;
        shares.all += done.ms;
        statements = done.statements / size;
        walKb = done.walBytes / size / 1024;
        misses.push(...(await check(database, done.agent, size)));
      }
      ours.push(round(median(pairs.map((pair) => pair.ours)), 1));
      baseline.push(round(median(pairs.map((pair) => pair.baseline)), 1));
      ratio.push(round(median(pairs.map((pair) => pair.baseline / pair.ours)), 3));
    }
    const exponent = exponentOf(sizes, ours);
    const slowest = Math.min(...ratio);
    if (slowest < SPEED_MIN) misses.push(`Calls a second are ${slowest} of COPY, under ${SPEED_MIN}.`);
    if (statements > STATEMENTS_MAX) misses.push(`${round(statements, 3)} statements a call, above ${STATEMENTS_MAX}.`);
    if (walKb > WAL_KB_MAX) misses.push(`${round(walKb, 2)} kB of WAL a call, above ${WAL_KB_MAX}.`);
    if (growsBeyond(sizes, exponent, 1.05)) misses.push(`The exponent is ${exponent}, above 1.05.`);
    return {
      metric: 'import',
      sizes,
      ours,
      baseline,
      ratio,
      exponent,
      counters: {
        statementsACall: round(statements, 3),
        walKbACall: round(walKb, 2),
        callsASecond: round(((sizes.at(-1) ?? 0) / (ours.at(-1) ?? 1)) * 1000, 0),
        analysisShare: round(shares.analyse / shares.all, 2),
      },
      ok: misses.length === 0,
      misses,
    };
  }, 1);
}

interface Imported {
  agent: BenchAgent;
  ms: number;
  analyseMs: number;
  statements: number;
  walBytes: number;
}

/** The durable path of an import, batch by batch, without the platform and without Temporal. */
async function importAll(database: BenchDatabase, from: number, size: number): Promise<Imported> {
  const agent = await makeBenchAgent(database.client);
  const { agentId, workspaceId } = agent;
  let analyseMs = 0;
  const walBefore = await walBytes(database);
  const watch = watchStatements();
  let ms = 0;
  for (let at = 0; at < size; at += BATCH) {
    const calls = Array.from({ length: Math.min(BATCH, size - at) }, (_, index) => {
      const call = benchCall(from + at + index);
      return { payload: JSON.parse(JSON.stringify(call)), call };
    });
    ms += await timed(async () => {
      const { callIds } = await storeCalls(database.within(workspaceId), {
        ...agent,
        importId: null,
        vault: testVault,
        calls,
      });
      const loaded = await loadForAnalysis(database.within(workspaceId), agentId, callIds);
      const start = performance.now();
      const analyses = loaded.map(({ callId, call, configuration, payloadDigest }) => ({
        callId,
        payloadDigest,
        analysis: analyseCall({ call, configuration, agentCosts: null }, {}),
      }));
      analyseMs += performance.now() - start;
      await storeAnalyses(database.within(workspaceId), { workspaceId, agentId, analyses });
    });
  }
  watch.stop();
  const statements = watch.sent.length;
  return { agent, ms, analyseMs, statements, walBytes: (await walBytes(database)) - walBefore };
}

/** What the pool's one connection wrote: other databases of the server do not count. */
async function walBytes(database: BenchDatabase): Promise<number> {
  const { rows } = await database.client.query<{ bytes: string | null }>(
    `select sum(w.wal_bytes) as bytes from pg_stat_activity a
     cross join lateral pg_stat_get_backend_wal(a.pid) w
     where a.datname = current_database() and a.application_name = 'earshot-bench'`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

const COPIED = ['calls', 'transcripts', 'call_signals'] as const;

/** The same rows into three tables with the same keys and indexes, by COPY: the floor under any import. */
async function copyRows({ client }: BenchDatabase, { agentId }: BenchAgent): Promise<number> {
  const prepared: { into: string; rows: Buffer }[] = [];
  for (const table of COPIED) {
    const { rows } = await client.query<{ list: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
      [table],
    );
    const list = rows[0]?.list ?? '';
    const out = client.query(copyTo(`copy (select ${list} from ${table} where agent_id = '${agentId}') to stdout`));
    prepared.push({ into: `copy_of_${table} (${list})`, rows: await collect(out) });
    await client.query(`create table copy_of_${table} (like ${table} including all)`);
  }
  const ms = await timed(async () => {
    for (const { into, rows } of prepared) {
      await pipeline(Readable.from([rows]), client.query(copyFrom(`copy ${into} from stdin`)));
    }
  });
  for (const table of COPIED) await client.query(`drop table copy_of_${table}`);
  return ms;
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function check(database: BenchDatabase, { agentId }: BenchAgent, size: number): Promise<string[]> {
  const { rows } = await database.client.query<{ calls: number; analysed: number; counted: number }>(
    `select count(*)::int as calls, count(*) filter (where state = 'analysed')::int as analysed,
       (select call_count from agents where id = $1) as counted from calls where agent_id = $1`,
    [agentId],
  );
  const [found] = rows;
  const all = found?.calls === size && found.analysed === size && found.counted === size;
  const misses = all ? [] : [`${size} calls were imported, ${JSON.stringify(found)} are there.`];
  if (size > QUOTES_CHECKED_UP_TO) return misses;
  const { strays } = await findStrayQuotes(database.em(), agentId);
  return strays.length === 0 ? misses : [...misses, `${strays.length} quotes are no part of their turn.`];
}
