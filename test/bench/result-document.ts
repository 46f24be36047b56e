import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'undici';
import { loadRunRecord } from '../../src/db/runs/run-documents.ts';
import { documentBytes, resultDocument } from '../../src/domain/runs/result-document.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { type BenchOptions, type BenchResult, exponentOf, median, round, timed } from './measure.ts';
import { copyCells } from './runs/copied-run.ts';
import { playRun } from './runs/play.ts';
import { compareBytes, listenForRuns } from './runs/same-bytes.ts';
import { foundOrder } from './runs/words.ts';
import { type RunWorld, withRunWorld } from './runs/world.ts';
import { refill, startServer } from './servers.ts';

export const GOAL = '3 × a string in memory; 10 × faster than from its rows';

const DEFAULT_SIZES = [50, 500, 1_500];
const REPEATS = 3;
const READS = 40;
const ASSEMBLIES = 5;
const STATIC_RATIO_MAX = 3;
const FASTER_MIN = 10;

/**
 * Metric 16: a stored result document over HTTP, beside a bare server that has the same bytes as a string in memory, and
 * beside putting it together from its rows. The run is played for one cell, and its rows are then multiplied.
 */
export async function run({ sizes: given = [], rounds = 3 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const sizes = (given.length > 0 ? given : DEFAULT_SIZES).toSorted((a, b) => a - b);
  const misses: string[] = [];
  return withRunWorld(async (world) => {
    const worker = await world.startWorker({ conversations: 10 });
    const measured = [];
    try {
      for (const size of sizes) measured.push(await measure(world, { size, rounds, misses }));
    } finally {
      await worker.stop();
    }
    const ours = measured.map((each) => each.oursMs);
    const ratio = measured.map((each) => each.ratio);
    const faster = measured.map((each) => each.faster);
    const worst = Math.max(...ratio);
    if (worst > STATIC_RATIO_MAX) misses.push(`It takes ${worst} of a string in memory, above ${STATIC_RATIO_MAX}.`);
    const least = faster.at(-1) ?? Number.NaN;
    if (least < FASTER_MIN) misses.push(`Putting it together takes ${least} of its time, under ${FASTER_MIN}.`);
    return {
      metric: 'result-document',
      sizes,
      ours,
      baseline: measured.map((each) => each.staticMs),
      ratio,
      exponent: exponentOf(sizes, ours),
      counters: {
        kilobytes: measured.map(({ bytes }) => round(bytes / 1024, 0)).join(' / '),
        assemblyMs: measured.map(({ assemblyMs }) => assemblyMs).join(' / '),
        assemblyToOurs: faster.join(' / '),
      },
      ok: misses.length === 0,
      misses,
    };
  });
}

async function measure(world: RunWorld, { size, rounds, misses }: { size: number; rounds: number; misses: string[] }) {
  const agent = await world.makeAgent([foundOrder(0)], { script: ['And tell my neighbour, please.'], judged: true });
  await world.speakers.reset(0);
  await listenForRuns(world, agent);
  const { runId } = await playRun(world, agent, { repeats: REPEATS });
  misses.push(...(await compareBytes(world, agent, runId)));
  const big = await copyCells(world, agent, { runId, cells: size });
  const path = `/v1/agents/${agent.agentId}/runs/${big}/result`;
  const folder = openTestFolder(true);
  const file = join(folder.path, 'document.json');
  const api = new Pool(world.api.url, { connections: 1 });
  const read = async (pool: Pool, where: string) => {
    const answer = await pool.request({
      path: where,
      method: 'GET',
      headers: { authorization: `Bearer ${agent.key}` },
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`The bench was answered with ${answer.statusCode}: ${text}`);
    return text;
  };
  const body = await read(api, path);
  writeFileSync(file, body);
  const still = await startServer('test/bench/servers/static.ts', { BENCH_DOCUMENT: file });
  const bare = new Pool(still.url, { connections: 1 });
  try {
    if ((await read(bare, '/document')) !== body) misses.push('The bare server hands out other bytes.');
    const em = world.database.within(agent.workspaceId);
    const assemble = async () => {
      const record = await loadRunRecord(em, big);
      if (record === null || documentBytes(resultDocument(record)).length < body.length / 2)
        misses.push('What is put together from the rows is not the document.');
    };
    const pairs: { ours: number; bare: number; assembly: number }[] = [];
    for (let at = 0; at < rounds; at += 1) {
      await refill(world.database);
      const ours = await medianMs(READS, () => read(api, path));
      const staticMs = await medianMs(READS, () => read(bare, '/document'));
      pairs.push({ ours, bare: staticMs, assembly: await medianMs(ASSEMBLIES, assemble) });
    }
    return {
      oursMs: round(median(pairs.map((pair) => pair.ours)), 2),
      staticMs: round(median(pairs.map((pair) => pair.bare)), 2),
      assemblyMs: round(median(pairs.map((pair) => pair.assembly)), 1),
      ratio: round(median(pairs.map((pair) => pair.ours / pair.bare)), 2),
      faster: round(median(pairs.map((pair) => pair.assembly / pair.ours)), 1),
      bytes: Buffer.byteLength(body),
    };
  } finally {
    await Promise.all([api.close(), bare.close(), still.stop()]);
    folder.remove();
  }
}

async function medianMs(times: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const seen: number[] = [];
  for (let at = 0; at < times; at += 1) seen.push(await timed(work));
  return median(seen);
}
