import { randomInt } from 'node:crypto';
import { isFree } from '../../packages/embedded/ports.ts';

/** Below what Linux and macOS give to outgoing connections. */
const FIRST = 20_000;
const COUNT = 12_000;

/** @returns a free port that no outgoing connection takes, so that a server that was killed finds it free again. */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT);
    if (await isFree(port)) return port;
  }
}
