import type { CallBase } from '../call-base.ts';
import { firstUseFrom } from '../stretch.ts';
import type { ToolUse } from '../tool-uses.ts';
import { splitName } from '../tool-words.ts';
import { argumentLeaves, resultLeaves } from '../use-leaves.ts';
import type { Leaf } from '../values/json-values.ts';

/** The tool uses of a call with their leaves, read only where somebody asks. */
export class CallRecord {
  readonly reading: CallBase;

  constructor(reading: CallBase) {
    this.reading = reading;
  }

  results(use: ToolUse): readonly Leaf[] {
    return use.resultTurn === null ? [] : resultLeaves(use);
  }

  args(use: ToolUse): readonly Leaf[] {
    return use.callTurn === null ? [] : argumentLeaves(use);
  }

  /** The results that stood before a turn, newest first; at most `atMost` of them. */
  before(turn: number, atMost = 40): ToolUse[] {
    const uses: ToolUse[] = [];
    const { tools } = this.reading;
    for (let at = firstUseFrom(tools, turn) - 1; at >= 0 && uses.length < atMost; at -= 1) {
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

  /** The last results that came since the caller spoke, newest first: what the turn tells may be read out of them. */
  fresh(turn: number): ToolUse[] {
    const since = this.lastCallerTurn(turn);
    return this.before(turn, FRESH_READ).filter(({ resultTurn }) => (resultTurn ?? -1) > since);
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

const FRESH_READ = 6;

export function isDone(use: ToolUse): boolean {
  return use.effect === 'write' && use.ok !== false && !use.refusal && use.resultTurn !== null;
}

/**
 * The value by which a result's record is known. A record holds its own number beside those of its owner and its parts:
 * its own is the one that the tool is named after, or that the tool was asked with; else the one that the fewest other
 * results of the call hold, because an owner's number stands in all of them.
 */
export function recordKey(record: CallRecord, use: ToolUse): Leaf | null {
  const asked = new Set(record.args(use).map((leaf) => leaf.value));
  const keys = record
    .results(use)
    .filter(isKey)
    .map((leaf) => ({
      leaf,
      rank: [isNamedAfter(use, leaf) ? 0 : 1, asked.has(leaf.value) ? 0 : 1, holders(record, use, leaf)],
    }));
  keys.sort((a, b) => compareRanks(a.rank, b.rank) || (a.leaf.name < b.leaf.name ? -1 : 1));
  return keys[0]?.leaf ?? null;
}

const KEY = /(?:^|_)(?:id|number|code|ref(?:erence)?)$/i;

function isKey(leaf: Leaf): boolean {
  return !leaf.path.includes('.') && typeof leaf.value === 'string' && leaf.value.length >= 3 && KEY.test(leaf.name);
}

/** `order_id` of `get_order_details`; a bare `id` is always the record's own. */
function isNamedAfter(use: ToolUse, leaf: Leaf): boolean {
  const own = leaf.name.toLowerCase().replace(KEY, '');
  return (
    own === '' || splitName(own).some((word) => use.nameWords.some((name) => name === word || name === `${word}s`))
  );
}

const HOLDERS_READ = 40;

function holders(record: CallRecord, use: ToolUse, key: Leaf): number {
  return record
    .before(Number.MAX_SAFE_INTEGER, HOLDERS_READ)
    .filter((one) => one !== use && record.results(one).some((leaf) => leaf.value === key.value)).length;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((rank, place) => rank !== b[place]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
