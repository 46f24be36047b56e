type Vector = ReadonlyMap<string, number>;

/** More than this many at once are clustered in parts, so that a large batch stays cheap. */
const PART = 300;

/**
 * Groups unit vectors by average linkage: the two most alike groups are joined until none are alike enough.
 * Deterministic: equal likeness is settled by position. @returns groups of positions, largest first.
 */
export function groupBySimilarity(vectors: readonly Vector[], alikeAtLeast: number): number[][] {
  const groups: number[][] = [];
  for (let start = 0; start < vectors.length; start += PART) {
    const part = vectors.slice(start, start + PART);
    for (const group of groupPart(part, alikeAtLeast)) groups.push(group.map((at) => at + start));
  }
  return groups.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

function groupPart(vectors: readonly Vector[], alikeAtLeast: number): number[][] {
  const count = vectors.length;
  const groups: (number[] | null)[] = vectors.map((_, at) => [at]);
  const alike = vectors.map((one) => Float64Array.from(vectors, (other) => dot(one, other)));
  for (;;) {
    let best = alikeAtLeast;
    let first = -1;
    let second = -1;
    for (let a = 0; a < count; a += 1) {
      if (groups[a] === null) continue;
      const row = alike[a];
      for (let b = a + 1; b < count; b += 1) {
        const value = row?.[b] ?? 0;
        if (groups[b] !== null && value > best) {
          best = value;
          first = a;
          second = b;
        }
      }
    }
    const into = groups[first];
    const from = groups[second];
    if (into === undefined || into === null || from === undefined || from === null) break;
    for (let other = 0; other < count; other += 1) {
      const joined =
        ((alike[first]?.[other] ?? 0) * into.length + (alike[second]?.[other] ?? 0) * from.length) /
        (into.length + from.length);
      const row = alike[first];
      const column = alike[other];
      if (row !== undefined) row[other] = joined;
      if (column !== undefined) column[first] = joined;
    }
    into.push(...from);
    groups[second] = null;
  }
  return groups.filter((group) => group !== null).map((group) => group.sort((a, b) => a - b));
}

function dot(a: Vector, b: Vector): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let sum = 0;
  for (const [term, value] of small) sum += value * (large.get(term) ?? 0);
  return sum;
}
