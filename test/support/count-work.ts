import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Default export of a module whose work is counted: prepares a case, and returns the work on it. */
export type Prepare<T> = (from: T) => () => unknown;

/**
 * How often the blocks of the domain's code are run for each case: a measure of work that nothing else on the machine changes. The
 * module is loaded in a thread of its own, since only code that has not run before is counted block by block.
 */
export async function countWork(module: URL, cases: readonly unknown[]): Promise<number[]> {
  const thread = new Worker(new URL('count-work-thread.ts', import.meta.url), {
    workerData: { module: module.href, cases },
    execArgv: [],
  });
  const [counts] = (await once(thread, 'message')) as [number[]];
  await thread.terminate();
  return counts;
}
