import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountLimit, liftLimit, noteLimit, readLimit } from '../../src/db/connections/limits.ts';
import { reserveRequests } from '../../src/db/connections/request-budget.ts';
import type { EntityManager } from '../../src/db/database.ts';
import type { AccountGate } from '../../src/platforms/platform-connection.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';
import type { ActivityDeps } from '../deps.ts';

/** A limit that others were told is met within this time, at the cost of a statement for so long. */
const LOOK_EVERY_MS = 1_000;
/** Of a platform that wants no more requests and does not say for how long. */
const UNTOLD_MS = 5_000;
/** When a limit is over, live calls are asked for first. */
const BACKFILL_LATER_MS = 2_000;

/** A backfill reserves requests of so long at once, and looks so often whether nobody is before it. */
const PORTION_MS = 250;

/** With its limits as they were read just now. */
export interface Account extends AccountLimit {
  connectionId: string;
}

/**
 * Keeps the requests of one activity to what the platform told any request of the same account, and to the rate that the
 * operator allows an account.
 */
export function openAccountGate(
  { requestsASecond }: Pick<ActivityDeps, 'requestsASecond'>,
  em: EntityManager,
  account: Account,
  asking: Asking = {},
): AccountGate {
  const { connectionId } = account;
  const isBackfill = asking.lane === 'backfill';
  const forMs = (limit: AccountLimit) => (isBackfill ? limit.limitedForMs + BACKFILL_LATER_MS : limit.liveLimitedForMs);
  let limitedForMs = forMs(account);
  let readAtMs = Date.now();
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    limitedForMs = forMs(await readLimit(em, connectionId));
    readAtMs = Date.now();
  }

  const budget =
    requestsASecond === null ? null : openBudget(em, { connectionId, isBackfill, perSecond: requestsASecond });

  return {
    async enter() {
      await keepLimit();
      await budget?.take();
    },
    async answered() {
      if (asking.isPressed) await liftLimit(em, connectionId);
    },
    async limited(toldMs) {
      await noteLimit(em, connectionId, { forMs: toldMs ?? UNTOLD_MS, isBackfill });
      await read();
    },
  };

  async function keepLimit(): Promise<void> {
    if (asking.isPressed) return;
    if (Date.now() - readAtMs >= LOOK_EVERY_MS) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    const leftMs = limitedForMs - (Date.now() - readAtMs);
    if (leftMs <= 0) return;
    const message = 'The platform is rate limiting this account for now.';
    throw new PlatformError('rate_limited', message, { retryAfterMs: Math.ceil(leftMs) });
  }
}

/** One request after the other, each at its time. */
function openBudget(em: EntityManager, of: { connectionId: string; isBackfill: boolean; perSecond: number }) {
  const { connectionId, isBackfill, perSecond } = of;
  const count = isBackfill ? Math.max(1, Math.floor((perSecond * PORTION_MS) / 1000)) : 1;
  let reserved = 0;
  let last: Promise<void> = Promise.resolve();

  async function takeOne(): Promise<void> {
    while (reserved === 0) {
      const waitMs = await reserveRequests(em, connectionId, { count, perSecond, isBackfill });
      if (waitMs !== null) reserved = count;
      if (waitMs !== 0) await sleep(waitMs ?? PORTION_MS);
    }
    reserved -= 1;
  }

  return {
    take(): Promise<void> {
      last = last.then(takeOne, takeOne);
      return last;
    },
  };
}
