import { ApplicationFailure, activityInfo, CancelledFailure } from '@temporalio/activity';
import { isDatabaseAway } from '../../src/db/away.ts';
import { PlatformError, type PlatformErrorKind } from '../../src/platforms/port.ts';
import { FAILURE_TYPES, type PlatformWait } from '../../src/temporal/failures.ts';
import { type Activities, aroundEach } from './around-each.ts';

/** A fault of ours is tried this often: a passing condition that we did not foresee ends by then. */
const TRIES_OF_A_FAULT = 4;

/** The one place where errors become "try again" or "do not": wraps every activity of a factory. */
export function withFailures<Made extends Activities>(activities: Made): Made {
  return aroundEach(activities, async (run) => {
    try {
      return await run();
    } catch (error) {
      throw asFailure(error, activityInfo().attempt);
    }
  });
}

export function asFailure(error: unknown, attempt: number): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof PlatformError) return platformFailure(error);
  if (isDatabaseAway(error)) {
    const message = 'PostgreSQL does not answer; this is tried again by itself until it does';
    return ApplicationFailure.create({ type: FAILURE_TYPES.databaseAway, message, cause: nameless(error) });
  }
  return ApplicationFailure.create({
    type: FAILURE_TYPES.unexpected,
    message: error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : 'An unknown error',
    nonRetryable: attempt >= TRIES_OF_A_FAULT,
    cause: nameless(error),
  });
}

function platformFailure(error: PlatformError): ApplicationFailure {
  return isPassing(error)
    ? ApplicationFailure.nonRetryable(error.message, FAILURE_TYPES.platformWaits, platformWait(error))
    : ApplicationFailure.nonRetryable(refusalOf(error), FAILURE_TYPES.platformRefuses);
}

const PASSING: PlatformErrorKind[] = ['rate_limited', 'unavailable', 'bad_answer', 'too_large'];

/** Whether waiting may fix it; else a person has to. */
export const isPassing = ({ kind }: PlatformError) => PASSING.includes(kind);

/** What a person reads of a platform that refuses. */
export const refusalOf = ({ kind, message }: PlatformError) =>
  kind === 'unauthorised'
    ? `${message} Put a working key into the agent's connection, then retry the import.`
    : message;

/** What the workflow needs to know to wait for the platform. */
export function platformWait(error: PlatformError): PlatformWait {
  return { retryAfterMs: error.retryAfterMs, rateLimited: error.kind === 'rate_limited', message: error.message };
}

/** The stack of the cause helps an operator; its further causes may hold parameters of a query, so they stay out of histories. */
function nameless(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const bare = new Error(error.name);
  bare.stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return bare;
}
