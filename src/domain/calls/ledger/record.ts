import type { CallBase } from '../read-turns.ts';
import type { ToolUse } from '../tool-uses.ts';
import { type Leaf, readLeaves } from '../values/json-values.ts';

/** The tool uses of a call with their leaves, read once and only where somebody asks. */
export class CallRecord {
  readonly reading: CallBase;
  readonly #results = new Map<ToolUse, Leaf[]>();
  readonly #args = new Map<ToolUse, Leaf[]>();

  constructor(reading: CallBase) {
    this.reading = reading;
  }

  results(use: ToolUse): Leaf[] {
    return kept(this.#results, use, () => (use.resultTurn === null ? [] : readLeaves(use.body)));
  }

  args(use: ToolUse): Leaf[] {
    return kept(this.#args, use, () => (use.callTurn === null ? [] : readLeaves(use.args)));
  }

  /** The results that stood before a turn, newest first; at most `atMost` of them. */
  before(turn: number, atMost = 40): ToolUse[] {
    const uses: ToolUse[] = [];
    const { tools } = this.reading;
    for (let at = tools.length - 1; at >= 0 && uses.length < atMost; at -= 1) {
      const use = tools[at];
      if (use?.resultTurn != null && use.resultTurn < turn && use.ok !== false) uses.push(use);
    }
    return uses;
  }

  /** Writes that succeeded between the caller's last words and an agent's turn: what the turn reports on. */
  writesBefore(turn: number): ToolUse[] {
    const since = this.lastCallerTurn(turn);
    return this.before(turn, 12)
      .filter((use) => isDone(use) && (use.resultTurn ?? -1) > since)
      .reverse();
  }

  lastCallerTurn(turn: number): number {
    const { caller } = this.reading;
    let low = 0;
    let high = caller.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((caller[middle]?.index ?? 0) < turn) low = middle + 1;
      else high = middle;
    }
    return caller[low - 1]?.index ?? -1;
  }
}

export function isDone(use: ToolUse): boolean {
  return use.effect === 'write' && use.ok !== false && !use.refusal && use.resultTurn !== null;
}

/** The value by which a record is known: its first short field that ends in id, number or code. */
export function recordKey(leaves: readonly Leaf[]): Leaf | null {
  return (
    leaves.find(
      (leaf) =>
        !leaf.path.includes('.') &&
        typeof leaf.value === 'string' &&
        leaf.value.length >= 3 &&
        /(?:^|_)(?:id|number|code|ref(?:erence)?)$/i.test(leaf.name),
    ) ?? null
  );
}

function kept<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
