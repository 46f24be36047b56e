import type { Logger } from '../logger.ts';
import { ENTRIES_AT_ONCE, type RelayDeps, relayBatch } from './relay-batch.ts';

const LOOK_EVERY_MS = 1_000;

export interface OutboxRelayDeps extends RelayDeps {
  /** Calls back when a transaction that wrote an entry is committed, and whenever one may have been missed. */
  listen(onWritten: () => void): { close(): Promise<void> };
  logger: Logger;
}

export interface OutboxRelay {
  /** Resolves when the batch in hand is sent. */
  stop(): Promise<void>;
}

/**
 * Turns entries of the outbox into workflows and messages: at once when a transaction commits one, and by the clock for
 * what a crash or an outage left. An outage is logged once, never fatal.
 */
export function startOutboxRelay(deps: OutboxRelayDeps): OutboxRelay {
  let stopped = false;
  let wake = () => {};
  let notified = false;
  let troubled = false;
  const listener = deps.listen(() => {
    notified = true;
    wake();
  });

  async function once(): Promise<void> {
    while ((await relayBatch(deps)) === ENTRIES_AT_ONCE && !stopped);
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      notified = false;
      try {
        await once();
        if (troubled) deps.logger.info('the outbox is sent again');
        troubled = false;
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown';
        if (!troubled) deps.logger.warn({ reason }, 'the outbox waits: PostgreSQL or Temporal does not answer');
        troubled = true;
      }
      if (!notified && !stopped) await pause();
    }
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
      await listener.close();
    },
  };
}
