import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Behind the first requests and the first polls, and before there is much of anything. */
const AFTER_MS = 2_000;

/**
 * Collects the whole heap of this process once, a moment after its start, in some 50 ms: V8 by itself lets hundreds of
 * megabytes gather before it does so for the first time.
 * @param growingPercent by how much of what is in use the heap may grow before it is collected again; left out: as V8 sees fit.
 */
export function collectAfterStart(growingPercent?: number): void {
  if (growingPercent !== undefined) setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Contexts that are made later, such as those of workflows, see nothing of it.
  setFlagsFromString('--no-expose-gc');
  setTimeout(collect, AFTER_MS).unref();
}
