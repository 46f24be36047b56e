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

/** Where the newest verdict stands: it rests on the calls that had started by `moment`. */
export interface Standing {
  /** Calls of the smaller side at which it was due; 0 while nothing has been judged. */
  checkpoint: number;
  /** Start key of the last call that counts; null while nothing has been judged. */
  moment: string | null;
}

export const NOT_JUDGED: Standing = { checkpoint: 0, moment: null };

/**
 * Keeps a verdict where it stands until the smaller side reaches its next checkpoint; then all calls that there are
 * count. Calls that are imported late, with a start before that moment, join it.
 */
export function nextStanding(before: CallsOfSide, after: CallsOfSide, last: Standing): Standing {
  const checkpoint = checkpointOf(Math.min(before.calls, after.calls));
  if (checkpoint <= last.checkpoint) return last;
  return { checkpoint, moment: before.lastStart > after.lastStart ? before.lastStart : after.lastStart };
}

interface CallsOfSide {
  calls: number;
  lastStart: string;
}
