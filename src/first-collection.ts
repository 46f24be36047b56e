import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Behind the first requests and the first polls, and before there is much of anything. */
const AFTER_MS = 2_000;

/**
 * Lets the heap of this process grow by two fifths of what is in use before V8 collects it, and collects it once a moment
 * after the start, from which V8 counts: by itself it lets four times as much gather, and hundreds of megabytes before it
 * collects for the first time. A collection takes some 50 ms.
 */
export function collectAfterStart(): void {
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Contexts that are made later, such as those of workflows, see nothing of it.
  setFlagsFromString('--no-expose-gc');
  setTimeout(collect, AFTER_MS).unref();
}
