/** What stands at a time. */
interface Begun {
  beginMs: number;
}

interface Entry<Item> {
  inOrder: Item[];
  known: Set<Item>;
}

/** Items by something that they share, in order of their begin: the nearest of very many is found by halving. */
export class GroupIndex<Item extends Begun> {
  readonly #entries = new Map<string, Entry<Item>>();

  add(item: Item, keys: Iterable<string>): void {
    for (const key of keys) {
      const entry = this.#entries.get(key) ?? { inOrder: [], known: new Set() };
      this.#entries.set(key, entry);
      if (entry.known.has(item)) continue;
      entry.known.add(item);
      entry.inOrder.splice(begunUntil(entry.inOrder, item.beginMs), 0, item);
    }
  }

  /** Of those with any of the keys the one that began last up to then, else the first. */
  nearest(keys: Iterable<string>, beginMs: number): Item | undefined {
    let before: Item | undefined;
    let first: Item | undefined;
    for (const key of keys) {
      const inOrder = this.#entries.get(key)?.inOrder ?? [];
      const last = inOrder[begunUntil(inOrder, beginMs) - 1];
      if (last && (!before || last.beginMs > before.beginMs)) before = last;
      const [earliest] = inOrder;
      if (earliest && (!first || earliest.beginMs < first.beginMs)) first = earliest;
    }
    return before ?? first;
  }
}

/** How many of the items had begun by then. */
function begunUntil(inOrder: readonly Begun[], beginMs: number): number {
  let low = 0;
  let high = inOrder.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = inOrder[middle];
    if (item && item.beginMs <= beginMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
