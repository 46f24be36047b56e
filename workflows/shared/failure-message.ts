import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { FAILURE_TYPES, type PlatformWait } from '../../src/temporal/failures.ts';

/** A platform that asked for more time than any import has. The message says what it waited for. */
export class GaveUpWaiting extends Error {
  override name = 'GaveUpWaiting';
}

export function platformWaitOf(error: unknown): PlatformWait | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure) || cause.type !== FAILURE_TYPES.platformWaits) return null;
  // A failure of this type carries one, as the activity that throws it wrote it.
  const [wait] = (cause.details ?? []) as PlatformWait[];
  return wait ?? null;
}

/** What a person has to change something for. */
export function isPlatformRefusal(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.type === FAILURE_TYPES.platformRefuses;
}

/** The workflow itself is cancelled; a child that was cancelled alone is no reason to end. */
export function isOurEnd(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

const AGAIN = {
  import: 'Retry it.',
  run: 'Start another.',
  rescore: 'Ask for it again.',
  erasure: 'Ask for it again.',
  removal: 'It is tried again.',
  look: 'It is tried again within an hour.',
} as const;

/** The sentence of a failure for people: the innermost one that an activity wrote. @param of what it stopped */
export function failureMessage(error: unknown, of: keyof typeof AGAIN = 'import'): string {
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
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_CLOSE') {
    const last =
      cause.cause instanceof ApplicationFailure
        ? `: ${cause.cause.message}`
        : ', and ended its worker or was cut off each time';
    return `A step of the ${of} was tried for a day${last}. ${AGAIN[of]}`;
  }
  if (cause instanceof TerminatedFailure) return `The ${of} was terminated in Temporal. ${AGAIN[of]}`;
  const why = error instanceof Error ? ` (${error.message})` : '';
  return `The ${of} stopped${why}. ${AGAIN[of]}`;
}
