import { ActivityFailure, ApplicationFailure, TerminatedFailure } from '@temporalio/workflow';
import { FAILURE_TYPES, type PlatformWait } from '../src/durable/failures.ts';
import { type Patience, WAITS_FOR_PLATFORM } from '../src/durable/import.ts';
import type { ImportControls } from './import-controls.ts';
import { clock } from './import-words.ts';

/** A platform that asked for more time than any import has. The message says what it waited for. */
export class GaveUpWaiting extends Error {
  override name = 'GaveUpWaiting';
}

/** Waits out a platform: as long as it asks, else in growing gaps; `tryNow` ends a wait. */
export interface Waiting {
  /** Runs the work until the platform lets it through. @throws GaveUpWaiting */
  out<Result>(work: () => Promise<Result>): Promise<Result | 'cancelled'>;
  /** One wait, for work that was let through in part. @throws GaveUpWaiting */
  once(wait: PlatformWait): Promise<void>;
  /** The platform answered: the next wait begins small again. */
  over(): void;
}

export function startWaiting(
  patience: Patience,
  controls: ImportControls,
  show: (waitsFor: string | null) => void,
): Waiting {
  let gapMs = patience.firstGapMs;
  let waitedMs = 0;
  const waiting: Waiting = {
    over() {
      gapMs = patience.firstGapMs;
      waitedMs = 0;
    },
    async once(wait) {
      const ms = wait.retryAfterMs ?? gapMs;
      if (waitedMs + ms > patience.giveUpAfterMs) {
        throw new GaveUpWaiting(`${wait.message} Waited for it too long; retry the import when the platform answers.`);
      }
      show(waitWords(wait, Date.now() + ms));
      await controls.waitAtMost(ms);
      show(null);
      waitedMs += ms;
      gapMs = Math.min(gapMs * 2, patience.longestGapMs);
    },
    async out(work) {
      for (;;) {
        await controls.mayGoOn();
        if (controls.cancelled) return 'cancelled';
        try {
          const result = await work();
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

function waitWords(wait: PlatformWait, untilMs: number): string {
  const until = clock(untilMs, Date.now());
  return wait.rateLimited
    ? `${WAITS_FOR_PLATFORM}: rate limit until ${until}`
    : `${WAITS_FOR_PLATFORM}: ${wait.message.replace(/\.$/, '')}; next try at ${until}`;
}

export function platformWaitOf(error: unknown): PlatformWait | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure) || cause.type !== FAILURE_TYPES.platformWaits) return null;
  const [wait] = (cause.details ?? []) as PlatformWait[];
  return wait ?? null;
}

const AGAIN = { import: 'Retry it.', run: 'Start another.', rescore: 'Ask for it again.' } as const;

/** The sentence of a failure for people: the innermost one that an activity wrote. @param of what it stopped */
export function sentenceOf(error: unknown, of: keyof typeof AGAIN = 'import'): string {
  if (error instanceof GaveUpWaiting) return error.message;
  if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')
    return 'This try ran before in Temporal. Retry the import.';
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof ApplicationFailure) {
    const { message, type } = cause;
    return type === FAILURE_TYPES.unexpected
      ? `An error of Earshot stopped the ${of} (${message}). ${AGAIN[of]}`
      : message;
  }
  if (cause instanceof TerminatedFailure) return `The ${of} was terminated in Temporal. ${AGAIN[of]}`;
  const why = error instanceof Error ? ` (${error.message})` : '';
  return `The ${of} stopped${why}. ${AGAIN[of]}`;
}
