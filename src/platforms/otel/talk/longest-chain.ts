/** Of a thing that was said very often, the last times are looked at. */
const PLACES_MAX = 32;

interface Link {
  at: number;
  place: number;
  next: Link | null;
}

/**
 * Lays one row of things upon another: the longest row of equal things that stand in the same order in both. Of several
 * it is the one that begins first in the first row and stands last in the second: what is behind it is new.
 * @param placesOf where a thing of the first row stands in the second, in rising order
 * @returns for each thing of the first row its place in the second, or -1
 */
export function longestChain(count: number, placesOf: (at: number) => readonly number[]): number[] {
  // For each length the row that begins latest in the second; longer ones begin earlier.
  const rows: Link[] = [];
  for (let at = count - 1; at >= 0; at -= 1) {
    // Rising, so that no thing stands behind itself.
    for (const place of placesOf(at).slice(-PLACES_MAX)) {
      const length = rowsBehind(rows, place);
      if ((rows[length]?.place ?? -1) <= place) rows[length] = { at, place, next: rows[length - 1] ?? null };
    }
  }
  const found = new Array<number>(count).fill(-1);
  for (let link = rows.at(-1) ?? null; link !== null; link = link.next) found[link.at] = link.place;
  return found;
}

/** How many of the rows begin behind a place. */
function rowsBehind(rows: readonly Link[], place: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.place ?? -1) > place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Rows of that many pairs are laid upon each other in milliseconds. */
const PAIRS_MAX = 160_000;
const SAME = 1_000;

/**
 * Lays one row upon another where things may have changed: as many equal ones as there are, and of the others as many of
 * a kind as there are, each in the place of one. Prefers as the longest chain does.
 * @returns for each of the first row its place in the second, or -1; null where the rows are too long for that
 */
export function closestRows(
  counts: { first: number; second: number },
  likeness: (at: number, place: number) => 'same' | 'kind' | 'none',
): number[] | null {
  const { first, second } = counts;
  if ((first + 1) * (second + 1) > PAIRS_MAX) return null;
  const width = second + 1;
  const best = new Int32Array((first + 1) * width);
  const pairs = new Int32Array((first + 1) * width);
  for (let at = first - 1; at >= 0; at -= 1) {
    for (let place = second - 1; place >= 0; place -= 1) {
      const like = likeness(at, place);
      const worth = like === 'same' ? SAME : like === 'kind' ? 1 : -1;
      const cell = at * width + place;
      const paired = worth < 0 ? -1 : worth + (best[cell + width + 1] ?? 0);
      pairs[cell] = paired;
      best[cell] = Math.max(paired, best[cell + width] ?? 0, best[cell + 1] ?? 0);
    }
  }
  const found = new Array<number>(first).fill(-1);
  let [at, place] = [0, 0];
  while (at < first && place < second) {
    const cell = at * width + place;
    if (best[cell] === best[cell + 1]) place += 1;
    else if (best[cell] === pairs[cell]) {
      found[at] = place;
      at += 1;
      place += 1;
    } else at += 1;
  }
  return found;
}
