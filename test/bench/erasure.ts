import { CALL_DATA } from '../../src/db/erasures/call-data.ts';
import { insertErasure } from '../../src/db/erasures/erasures.ts';
import { keysOf } from '../../src/domain/keys-of.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { eraseBatch, eraseLeftovers } from '../../src/services/erasures/erase-batch.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { testVault } from '../support/analysed-calls.ts';
import { type BenchAgent, makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { type BenchOptions, type BenchResult, exponentOf, growsBeyond, median, round, timed } from './measure.ts';
import { importWatched } from './watches/import-watched.ts';

export const GOAL = 'no longer than the import of the same calls; growth of a call 0.15';

const DEFAULT_SIZES = [1_000, 3_000, 10_000];
const ERASED_SHARE = 0.1;
/** As many ids as one request of an erasure takes. */
const CALLS_OF_A_REQUEST = 1_000;
const BATCH = 100;
/** With a row a call, named by the call's id. */
const TABLES = keysOf(CALL_DATA).filter((table) => CALL_DATA[table] === 'rows');
const RATIO_MAX = 1;
const EXPONENT_MAX = 0.15;

/**
 * A tenth of an agent's calls erased, each taken out of every sum, by the batches of the product's own activity; against storing
 * and reading them when they came, which added to the same sums. Beside both, bare deletes of the rows of as many equal calls of
 * another agent, which leave its sums wrong. Times are milliseconds a call.
 */
export async function run({ sizes: given = [] }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  return withBenchDatabase(async (database) => {
    const [erased, bare] = [await makeBenchAgent(database.client), await makeBenchAgent(database.client)];
    const ours: number[] = [];
    const baseline: number[] = [];
    const misses: string[] = [];
    let [next, walKb, longest, deletes] = [0, 0, 0, 0];
    for (const size of sizes) {
      await fillUp(database, bare, size, next);
      baseline.push(round(await fillUp(database, erased, size, next), 3));
      next += size;
      await database.client.query('vacuum analyze');
      const own = await callsToErase(database, erased, size * ERASED_SHARE);
      const others = await callsToErase(database, bare, size * ERASED_SHARE);
      const before = await walBytes(database);
      const batches = await eraseAll(database, erased, own);
      walKb = ((await walBytes(database)) - before) / own.length / 1024;
      longest = Math.max(...batches);
      ours.push(round(sum(batches) / own.length, 3));
      deletes = (await deleteAll(database, others)) / others.length;
      misses.push(...(await check(database, erased, own, size)));
    }
    const ratio = ours.map((ms, at) => round(ms / (baseline[at] ?? 1), 2));
    const exponent = exponentOf(sizes, ours);
    if (median(ratio) > RATIO_MAX) misses.push(`It takes ${median(ratio)} of the import, above ${RATIO_MAX}.`);
    if (growsBeyond(sizes, exponent, EXPONENT_MAX)) misses.push(`The exponent is ${exponent}, above ${EXPONENT_MAX}.`);
    const counters = {
      walKbACall: round(walKb, 1),
      longestBatchMs: round(longest, 0),
      timesBareDeletes: round((ours.at(-1) ?? 0) / deletes, 1),
    };
    return { metric: 'erasure', sizes, ours, baseline, ratio, exponent, counters, ok: misses.length === 0, misses };
  });
}

/** Imports calls until the agent has so many. @returns milliseconds a call, without the grouping */
async function fillUp(database: BenchDatabase, agent: BenchAgent, size: number, from: number): Promise<number> {
  const { rows } = await database.client.query<{ calls: number }>(
    'select count(*)::int as calls from calls where agent_id = $1',
    [agent.agentId],
  );
  const missing = size - (rows[0]?.calls ?? 0);
  const ms = await importWatched(database, agent, from, missing);
  await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'incremental');
  return ms / missing;
}

/** Calls from all over the history. */
async function callsToErase({ client }: BenchDatabase, { agentId }: BenchAgent, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from calls where agent_id = $1 order by md5(id::text) limit $2',
    [agentId, count],
  );
  return rows.map(({ id }) => id);
}

/** @returns milliseconds of each batch; what calls shared, and the grouping after them, are not in it */
async function eraseAll(database: BenchDatabase, agent: BenchAgent, ids: readonly string[]): Promise<number[]> {
  const { workspaceId, agentId } = agent;
  const em = () => database.within(workspaceId);
  const knows = { vault: testVault, catalogue: CATALOGUE };
  const batches: number[] = [];
  for (const callIds of inParts(ids, CALLS_OF_A_REQUEST)) {
    const { id: erasureId } = await insertErasure(em(), {
      workspaceId,
      agentId,
      scope: 'calls',
      callIds,
      callerKey: null,
      sealedNumber: null,
      total: callIds.length,
      reason: 'Bench',
      requestedBy: workspaceId,
    });
    for (let over = false; !over; ) {
      const ms = await timed(async () => {
        ({ over } = await eraseBatch(em(), knows, { agentId, erasureId }));
      });
      batches.push(ms);
    }
    await eraseLeftovers(em(), testVault, { agentId, erasureId });
  }
  await recomputeIssues(em(), agentId, 'incremental');
  return batches;
}

function deleteAll({ client }: BenchDatabase, ids: readonly string[]): Promise<number> {
  return timed(async () => {
    for (const part of inParts(ids, BATCH)) {
      await client.query('begin');
      for (const table of TABLES) await client.query(`delete from ${table} where call_id = any($1)`, [part]);
      await client.query('delete from issue_calls where call_id = any($1)', [part]);
      await client.query('delete from calls where id = any($1)', [part]);
      await client.query('commit');
    }
  });
}

function inParts(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));
}

/** Nothing of the erased is left, and counting all anew changes nothing. */
async function check(database: BenchDatabase, agent: BenchAgent, ids: string[], size: number): Promise<string[]> {
  const misses: string[] = [];
  for (const table of TABLES) {
    const { rowCount } = await database.client.query(`select 1 from ${table} where call_id = any($1) limit 1`, [ids]);
    if (rowCount !== 0) misses.push(`At ${size} calls ${table} still has rows of erased ones.`);
  }
  const { changed } = await recomputeIssues(database.within(agent.workspaceId), agent.agentId, 'full');
  if (changed > 0) misses.push(`At ${size} calls a full regroup after the erasure changed ${changed} issues.`);
  return misses;
}

async function walBytes({ client }: BenchDatabase): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`);
  return Number(rows[0]?.bytes ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
