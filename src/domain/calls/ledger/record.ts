import type { Leaf } from '../../values/json-values.ts';
import type { CallBase } from '../call-base.ts';
import { firstUseFrom } from '../stretch.ts';
import type { ToolUse } from '../tool-uses.ts';
import { argumentLeaves, resultLeaves } from '../use-leaves.ts';

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
