import { liftLimit, noteLimit, readLimit } from '../../src/db/connections/limits.ts';
import type { EntityManager } from '../../src/db/database.ts';
import type { AccountGate } from '../../src/platforms/platform-connection.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { Asking } from '../../src/temporal/import-calls.ts';

/** A limit that others were told is met within this time, at the cost of a statement for so long. */
const LOOK_EVERY_MS = 1_000;
/** Of a platform that wants no more requests and does not say for how long. */
const UNTOLD_MS = 5_000;
/** When a limit is over, live calls are asked for first. */
const BACKFILL_LATER_MS = 2_000;

export interface Account {
  connectionId: string;
  /** As it was read just now. */
  limitedForMs: number;
}

/** Keeps the requests of one activity to what the platform told any request of the same account. */
export function openAccountGate(em: EntityManager, account: Account, asking: Asking = {}): AccountGate {
  const { connectionId } = account;
  const laterMs = asking.lane === 'backfill' ? BACKFILL_LATER_MS : 0;
  let { limitedForMs } = account;
  let readAtMs = Date.now();
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    limitedForMs = await readLimit(em, connectionId);
    readAtMs = Date.now();
  }

  return {
    async enter() {
      if (asking.isPressed) return;
      if (Date.now() - readAtMs >= LOOK_EVERY_MS) {
        reading ??= read().finally(() => {
          reading = null;
        });
        await reading;
      }
      const leftMs = limitedForMs + laterMs - (Date.now() - readAtMs);
      if (leftMs <= 0) return;
      const message = 'The platform wants no more requests of this account for now.';
      throw new PlatformError('rate_limited', message, { retryAfterMs: Math.ceil(leftMs) });
    },
    async answered() {
      if (asking.isPressed) await liftLimit(em, connectionId);
    },
    async limited(forMs) {
      await noteLimit(em, connectionId, forMs ?? UNTOLD_MS);
      await read();
    },
  };
}
