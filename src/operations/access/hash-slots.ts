import { Failure } from '../failure.ts';

/** Half of the threads that Node gives to such work: the others read files and resolve names meanwhile. */
const AT_ONCE = 2;
/** At a fifth of a second each, the last one waits for about five seconds. */
const WAITING = 50;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs what costs a fifth of a second of a processor and 32 MiB: a few at a time, the others in turn, so that a flood of
 * sign-ins takes neither the machine nor its memory. @throws Failure `rate_limited` where too many wait already.
 */
export async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  await takeSlot();
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function takeSlot(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1;
    return;
  }
  if (waiting.length >= WAITING) {
    throw new Failure('rate_limited', 'Too many people sign in at this moment. Try again in 5 seconds.', {
      retryAfterSeconds: 5,
    });
  }
  await new Promise<void>((resolve) => waiting.push(resolve));
}
