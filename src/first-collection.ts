import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Behind the first requests and the first polls, and before there is much of anything. */
const AFTER_MS = 2_000;

/**
 * Collects the whole heap of this process once, a moment after its start. Until V8 has done so it lets a heap grow to
 * hundreds of megabytes, whatever of it is in use; from then on it goes by what is. It takes some 50 ms.
 */
export function collectAfterStart(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Contexts that are made later, such as those of workflows, see nothing of it.
  setFlagsFromString('--no-expose-gc');
  setTimeout(collect, AFTER_MS).unref();
}
