import { Failure } from '../failure.ts';

/** @throws Failure 409 where what the caller looked at is not in force any more. */
export function refuseOtherRevision(given: number | undefined, inForce: number): void {
  if (given === undefined || given === inForce) return;
  const message = `Revision ${given} is not in force: the watch is at revision ${inForce}. Read it again first.`;
  throw new Failure('revision_conflict', message, { param: 'revision' });
}
