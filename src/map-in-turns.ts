import { setImmediate as turnOfOthers } from 'node:timers/promises';

const TURN_MS = 10;

/** Maps a list on the thread that answers others: it is theirs again each time after so many milliseconds. */
export async function mapInTurns<T, R>(list: readonly T[], of: (one: T) => R): Promise<R[]> {
  const results: R[] = [];
  let since = performance.now();
  for (const one of list) {
    if (performance.now() - since > TURN_MS) {
      await turnOfOthers();
      since = performance.now();
    }
    results.push(of(one));
  }
  return results;
}
