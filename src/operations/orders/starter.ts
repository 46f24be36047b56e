import { listen } from '../../db/listen.ts';
import { dropOldOrders } from '../../db/system/orders.ts';
import { ORDERS_CHANNEL } from '../../durable/orders.ts';
import type { Logger } from '../../logger.ts';
import { type OpenDesksDeps, openDesks } from './open-desks.ts';
import { openGraces } from './open-graces.ts';
import { renewReadings } from './renew-readings.ts';
import { ORDERS_AT_ONCE, sendOrders } from './send-orders.ts';
import { tendRuns } from './tend-runs.ts';
import { tendWebhooks } from './tend-webhooks.ts';

const LOOK_EVERY_MS = 1_000;
const OPEN_DESKS_EVERY_MS = 10 * 60 * 1000;
/** Where desks could not be opened, because Temporal or PostgreSQL was away, the next try comes sooner. */
const OPEN_DESKS_AGAIN_MS = 5_000;

export interface StarterDeps extends OpenDesksDeps {
  databaseUrl: string;
  logger: Logger;
}

export interface Starter {
  /** Resolves when the batch in hand is sent. */
  stop(): Promise<void>;
}

/**
 * Turns start orders into workflows: at once when a transaction commits one, and by the clock for what a crash or an
 * outage left. Opens the desks that are missing at the start and now and then. An outage is logged once, never fatal.
 */
export function startStarter(deps: StarterDeps): Starter {
  let stopped = false;
  let wake = () => {};
  let notified = false;
  let openDesksAtMs = 0;
  let troubled = false;
  let isFirst = true;
  const listener = listen(deps.databaseUrl, ORDERS_CHANNEL, () => {
    notified = true;
    wake();
  });

  async function once(): Promise<void> {
    while ((await sendOrders(deps)) === ORDERS_AT_ONCE && !stopped);
    if (Date.now() < openDesksAtMs) return;
    openDesksAtMs = Date.now() + OPEN_DESKS_AGAIN_MS;
    await openDesks(deps, isFirst);
    isFirst = false;
    await renewReadings(deps.database);
    await openGraces(deps);
    await tendRuns(deps);
    await tendWebhooks(deps.database);
    await dropOldOrders(deps.database.unscoped());
    openDesksAtMs = Date.now() + OPEN_DESKS_EVERY_MS;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      notified = false;
      try {
        await once();
        if (troubled) deps.logger.info('start orders are sent again');
        troubled = false;
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'unknown';
        if (!troubled) deps.logger.warn({ reason }, 'start orders wait: PostgreSQL or Temporal does not answer');
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
