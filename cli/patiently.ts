import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProblem } from './problem.ts';
import type { Session } from './session.ts';

export interface Patience {
  /** On the clock of `performance.now()`: what would pass only later is not waited for. */
  untilMs: number;
  /** Told once for each spell of waiting, in words. */
  say(text: string): void;
}

const FIRST_GAP_MS = 500;
const LONGEST_GAP_MS = 10_000;

/**
 * Asks again while the server is away, restarts or has been asked too much, with growing gaps or as long as it says.
 * Only for what may safely be asked twice.
 * @throws ServerProblem of the last try, once the time is over.
 */
export async function patiently<T>(ask: () => Promise<T>, { untilMs, say }: Patience): Promise<T> {
  let said = false;
  for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(gapMs * 2, LONGEST_GAP_MS)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServerProblem) || !error.passes) throw error;
      const waitMs = error.retryAfterSeconds === null ? gapMs : error.retryAfterSeconds * 1000;
      if (performance.now() + waitMs > untilMs) throw error;
      if (!said) say(`${error.message} Trying again.`);
      said = true;
      await sleep(waitMs);
    }
  }
}

/** Many requests may have to wait: people hear of the first. */
export function tellOnce(say: Patience['say']): Patience['say'] {
  let told = false;
  return (text) => {
    if (!told) say(text);
    told = true;
  };
}

/** The same session, whose reads are asked again while the server is away. */
export function withPatience(session: Session, untilMs: number): Session {
  const { client } = session;
  const patience = { untilMs, say: session.print.note };
  return {
    ...session,
    client: {
      ...client,
      read: <T>(path: string) => patiently(() => client.read<T>(path), patience),
      readBytes: (path) => patiently(() => client.readBytes(path), patience),
    },
  };
}
