import { Failure } from './failure.ts';

/** What to do about it, where "read it again first" is not all. */
const READ_AGAIN = 'Read it again first.';

/** @throws Failure 409 where what the caller looked at is not in force any more; who names no revision changes whatever is. */
export function refuseOtherRevision(
  noun: 'watch' | 'draft' | 'test',
  given: number | undefined,
  inForce: number,
  advice = READ_AGAIN,
): void {
  if (given === undefined || given === inForce) return;
  const message = `Revision ${given} is not in force: the ${noun} is at revision ${inForce}. ${advice}`;
  throw new Failure('revision_conflict', message, { param: 'revision' });
}
