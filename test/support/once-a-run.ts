import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../../packages/embedded/lock.js';

/**
 * For what the processes of a run share: the first that needs it makes it, those beside it wait.
 * @param lock the file that shows who makes it.
 */
export async function onceARun(lock: string, isMade: () => boolean, make: () => Promise<unknown>): Promise<void> {
  while (!isMade()) {
    const attempt = tryLock(lock, 'makes what others wait for');
    if (!attempt.taken) {
      await sleep(100);
      continue;
    }
    try {
      if (!isMade()) await make();
    } finally {
      attempt.release();
    }
  }
}
