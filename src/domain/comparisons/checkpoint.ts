/** Calls a side below which nothing is judged. */
export const FEWEST_CALLS = 30;

/**
 * The number of calls at which the newest verdict was due: 30, 60, 120, … Between two of them a verdict stands, so that
 * looking every minute makes no changes by itself. 0 below 30.
 */
export function checkpointOf(calls: number): number {
  if (calls < FEWEST_CALLS) return 0;
  return FEWEST_CALLS * 2 ** Math.floor(Math.log2(calls / FEWEST_CALLS));
}

/** What still has to come before the first verdict, by the side that has fewer. */
export function callsMissing(before: number, after: number): { before: number; after: number } {
  return { before: Math.max(0, FEWEST_CALLS - before), after: Math.max(0, FEWEST_CALLS - after) };
}

/**
 * The moment at which the smaller side reached its checkpoint: a verdict rests on the calls that had started by then,
 * whatever the order in which they were imported. Takes sorted start keys (any strings that sort as time does).
 * @returns null while a side has too few calls.
 */
export function momentOf(before: readonly string[], after: readonly string[]): string | null {
  const checkpoint = checkpointOf(Math.min(before.length, after.length));
  const ofBefore = before[checkpoint - 1];
  const ofAfter = after[checkpoint - 1];
  if (ofBefore === undefined || ofAfter === undefined) return null;
  return ofBefore > ofAfter ? ofBefore : ofAfter;
}
