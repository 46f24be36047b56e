import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import { isServerAway } from './each.ts';

const LOOK_EVERY_MS = 2_000;
const EVERY_MS = 10 * 60 * 1000;
/** After a first pass, by when imports that nobody works on any more count as such. */
const SECOND_MS = 150_000;
/** So often a leader asks whether Temporal still has the data that it had. */
const ASK_EVERY_MS = 20_000;
/** Where PostgreSQL or Temporal was away. */
const AGAIN_MS = 5_000;
const TOLD_AT_MOST = 5;

export interface ReconcilingDeps {
  /** Whether this process is the one that reconciles for the installation. */
  leads(): Promise<boolean>;
  /** @param isFirst for the first time since this process leads, whose settings may be others than those before */
  reconcile(isFirst: boolean): Promise<void>;
  /** Tells what Temporal holds from what another server would, or the same one that lost its data. */
  temporalData(): Promise<string>;
  logger: Logger;
}

export interface Reconciling {
  /** Resolves when the pass in hand is done. */
  stop(): Promise<void>;
}

/**
 * Reconciles once this process leads, when Temporal has lost its data, and now and then from there on; beside the sending
 * of the outbox, which a pass over thousands of agents must not hold up. What could not be done is logged and has its next
 * turn with all the rest.
 */
export function keepReconciled(
  { leads, reconcile, temporalData, logger }: ReconcilingDeps,
  askEveryMs = ASK_EVERY_MS,
): Reconciling {
  const stop = new AbortController();
  let dueAtMs = 0;
  let isFirst = true;
  let [data, askAtMs]: [string | null, number] = [null, 0];

  /** A server that does not answer, or not that, has lost nothing as far as one can see. */
  const dataNow = () => temporalData().catch(() => null);

  async function hasLostData(): Promise<boolean> {
    if (Date.now() < askAtMs) return false;
    askAtMs = Date.now() + askEveryMs;
    const found = await dataNow();
    if (found === null || data === null || found === data) return false;
    logger.warn('Temporal has other data than before; what it does not know is brought back');
    isFirst = true;
    return true;
  }

  async function once(): Promise<void> {
    if (!(await leads())) {
      [dueAtMs, isFirst] = [0, true];
      return;
    }
    if (Date.now() < dueAtMs && !(await hasLostData())) return;
    dueAtMs = Date.now() + AGAIN_MS;
    data = (await dataNow()) ?? data;
    await reconcile(isFirst);
    dueAtMs = Date.now() + (isFirst ? SECOND_MS : EVERY_MS);
    isFirst = false;
  }

  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await once();
      } catch (error) {
        // An outage is told by the sending of the outbox, once.
        if (!isServerAway(error)) {
          isFirst = false;
          dueAtMs = Date.now() + EVERY_MS;
          logger.warn(told(error), 'not all could be reconciled; it is tried again in ten minutes');
        }
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  }

  const running = loop();
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

function told(error: unknown): { failures: number; reasons: string[] } {
  const failures: unknown[] = error instanceof AggregateError ? error.errors : [error];
  const reasons = failures.map((one) => (one instanceof Error ? `${one.name}: ${one.message}` : String(one)));
  return { failures: failures.length, reasons: [...new Set(reasons)].slice(0, TOLD_AT_MOST) };
}
