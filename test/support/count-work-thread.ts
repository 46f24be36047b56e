import { Session } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Prepare } from './count-work.ts';

const { module, cases } = workerData as { module: string; cases: unknown[] };
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { default: prepare } = (await import(module)) as { default: Prepare<unknown> };

const counts: number[] = [];
for (const from of cases) {
  const work = prepare(from);
  await taken();
  work();
  counts.push(await taken());
}
parentPort?.postMessage(counts);

/** What was run since it was last asked. */
async function taken(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/src/domain/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}
