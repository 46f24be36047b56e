import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../src/user-facing-error.js';
import { isAlive } from './processes.js';

interface Running {
  pid: number;
  stop(): Promise<void>;
  kill(): void;
}

interface Watch<R extends Running> {
  name: string;
  running: R;
  start(): Promise<R>;
  /** Whether the processes that know the old one find the new one. */
  sameAddress(a: R, b: R): boolean;
  say(text: string): void;
}

const LOOK_EVERY_MS = 1_000;
const LONGEST_GAP_MS = 30_000;

/** Starts an embedded server again when it was killed, and knows how to end the one that runs now. */
export function keepAlive<R extends Running>({ name, running: first, start, sameAddress, say }: Watch<R>) {
  let running = first;
  const stopping = new AbortController();

  const look = async () => {
    let gapMs = LOOK_EVERY_MS;
    let away = false;
    while (!stopping.signal.aborted) {
      await sleep(gapMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted || isAlive(running.pid)) {
        gapMs = LOOK_EVERY_MS;
        continue;
      }
      if (!away) say(`${name} ended by itself and is started again.`);
      away = true;
      try {
        const before = running;
        running = await start();
        away = false;
        say(
          sameAddress(before, running)
            ? `${name} runs again.`
            : `${name} runs again on another port, because its own was taken meanwhile: stop with Ctrl-C and start again.`,
        );
      } catch (error) {
        gapMs = Math.min(gapMs * 2, LONGEST_GAP_MS);
        say(`${messageOf(error)}\nThe next try is in ${Math.round(gapMs / 1000)} s.`);
      }
    }
  };
  const looking = look();

  return {
    async stop() {
      stopping.abort();
      await looking;
      await running.stop();
    },
    kill() {
      stopping.abort();
      running.kill();
    },
  };
}
