import type { PlatformWait } from '../../src/temporal/failures.ts';
import { type Patience, WAITS_FOR_PLATFORM } from '../../src/temporal/import-calls.ts';
import { clock } from '../shared/clock.ts';
import { GaveUpWaiting, platformWaitOf } from '../shared/failure-message.ts';
import type { ImportControls } from './controls.ts';

/** Waits out a platform: as long as it asks, else in growing gaps; `tryNow` ends a wait. */
export interface Waiting {
  /**
   * Runs the work until the platform lets it through.
   * @param work told whether a person has just ended a wait
   * @throws GaveUpWaiting
   */
  out<Result>(work: (isPressed: boolean) => Promise<Result>): Promise<Result | 'cancelled'>;
  /** One wait, for work that was let through in part. @throws GaveUpWaiting */
  once(wait: PlatformWait): Promise<void>;
  /** The platform answered: the next wait begins small again. */
  over(): void;
  /** What it answered brought nothing further: patience is what it was before. */
  notFurther(): void;
}

export function startWaiting(
  patience: Patience,
  controls: ImportControls,
  /** @param limitedUntilMs until when the platform asked for no more requests */
  show: (waitsFor: string | null, limitedUntilMs: number | null) => void,
): Waiting {
  let gapMs = patience.firstGapMs;
  let waitedMs = 0;
  let before = { gapMs, waitedMs };
  let isPressed = false;
  const waiting: Waiting = {
    notFurther() {
      ({ gapMs, waitedMs } = before);
    },
    over() {
      before = { gapMs, waitedMs };
      gapMs = patience.firstGapMs;
      waitedMs = 0;
    },
    async once(wait) {
      const ms = wait.retryAfterMs ?? gapMs;
      if (waitedMs + ms > patience.giveUpAfterMs) {
        throw new GaveUpWaiting(`${wait.message} Waited for it too long; retry the import when the platform answers.`);
      }
      const untilMs = Date.now() + ms;
      show(waitMessage(wait, untilMs), wait.rateLimited ? untilMs : null);
      isPressed = await controls.waitAtMost(ms);
      show(null, null);
      waitedMs += ms;
      gapMs = Math.min(gapMs * 2, patience.longestGapMs);
    },
    async out(work) {
      for (;;) {
        await controls.mayGoOn();
        if (controls.isCancelled()) return 'cancelled';
        const heldOffMs = controls.heldOffUntilMs() - Date.now();
        if (heldOffMs > 0) {
          show(limitMessage(controls.heldOffUntilMs()), null);
          isPressed = await controls.waitAtMost(heldOffMs);
          show(null, null);
          continue;
        }
        try {
          const result = await work(isPressed);
          isPressed = false;
          waiting.over();
          return result;
        } catch (error) {
          const wait = platformWaitOf(error);
          if (wait === null) throw error;
          await waiting.once(wait);
        }
      }
    },
  };
  return waiting;
}

function waitMessage(wait: PlatformWait, untilMs: number): string {
  return wait.rateLimited
    ? limitMessage(untilMs)
    : `${WAITS_FOR_PLATFORM}: ${wait.message.replace(/\.$/, '')}; next try at ${clock(untilMs, Date.now())}`;
}

const limitMessage = (untilMs: number) => `${WAITS_FOR_PLATFORM}: rate limit until ${clock(untilMs, Date.now())}`;
