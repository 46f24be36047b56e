/** How a start learns that it shall end. */
export interface Ending {
  /** Resolves at the first signal. */
  asked: Promise<void>;
  signal: AbortSignal;
  /** The work's result, unless the end is asked for sooner. @throws EndAsked */
  orSooner<T>(work: Promise<T>): Promise<T>;
}

export class EndAsked extends Error {
  override name = 'EndAsked';
}

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One Ctrl-C reaches us by the terminal, by npm and by the first step: what comes within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Listens for Ctrl-C, for being asked to terminate, and for the end of the process that started us.
 * @param onForce called when the end is asked for once more.
 */
export function listenForEnd(onForce: () => void): Ending {
  const controller = new AbortController();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let firstAt = 0;
  const ask = () => {
    if (firstAt === 0) {
      firstAt = Date.now();
      controller.abort();
      resolve();
    } else if (Date.now() - firstAt > SAME_SIGNAL_MS) {
      onForce();
    }
  };
  for (const signal of STOP_SIGNALS) process.on(signal, ask);
  process.on('disconnect', ask);
  return {
    asked,
    signal: controller.signal,
    orSooner: (work) => {
      work.catch(() => {});
      return Promise.race([
        work,
        asked.then(() => {
          throw new EndAsked('The end was asked for.');
        }),
      ]);
    },
  };
}
