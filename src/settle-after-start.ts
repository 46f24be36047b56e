import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Behind the first requests and the first polls, and before there is much of anything. */
const AFTER_MS = 2_000;

/**
 * A moment after the start of this process, writes what it compiled into the compile cache, where it runs with one, and
 * collects its whole heap once, in some 50 ms. Node by itself keeps what it compiled at an orderly end only, which a
 * killed process never comes to; V8 lets hundreds of megabytes gather before it collects for the first time.
 * @param growingPercent by how much of what is in use the heap may grow before it is collected again; left out: as V8 sees fit.
 */
export function settleAfterStart(growingPercent?: number): void {
  if (growingPercent !== undefined) setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Contexts that are made later, such as those of workflows, see nothing of it.
  setFlagsFromString('--no-expose-gc');
  setTimeout(() => {
    flushCompileCache();
    collect();
  }, AFTER_MS).unref();
}
