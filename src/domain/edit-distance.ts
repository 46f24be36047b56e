/**
 * How many characters must be changed, added or left out to make one text of the other; `atMost` + 1 where it is more.
 * Takes time by both lengths multiplied: for words and codes, not for turns.
 */
export function editDistance(a: string, b: string, atMost = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > atMost) return atMost + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const below = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      below.push(Math.min(change, (row[j] ?? 0) + 1, (below[j - 1] ?? 0) + 1));
    }
    row = below;
  }
  return Math.min(row[b.length] ?? 0, atMost + 1);
}

/** Further off no name is meant by another. */
const NEAR_AT_MOST = 3;

/**
 * The known name that was most likely meant; null where none is near.
 * @param isNear whether a name so far off may be meant; beyond three changes the distance is four.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  isNear: (distance: number, each: string) => boolean,
): string | null {
  const near = [...known]
    .map((each) => ({ each, distance: editDistance(name, each, NEAR_AT_MOST) }))
    .filter(({ distance, each }) => isNear(distance, each))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.each ?? null;
}
