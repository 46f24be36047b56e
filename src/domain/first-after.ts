/** The place of the first entry above a value in a list that ascends by it; the length of the list where there is none. */
export function firstAfter<Entry>(ascending: readonly Entry[], above: number, of: (entry: Entry) => number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = ascending[middle];
    if (entry !== undefined && of(entry) > above) high = middle;
    else low = middle + 1;
  }
  return low;
}
