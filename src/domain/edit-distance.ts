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
