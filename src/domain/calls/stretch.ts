import type { ToolUse } from './tool-uses.ts';

/** Position of the first row whose turn is not before `index`; rows stand in the order of their turns. */
export function firstFrom(rows: readonly { index: number }[], index: number): number {
  return firstAt(rows, (row) => row.index >= index);
}

/** Tool uses begun from one turn up to before another, found without walking the whole call. */
export function usesBetween(tools: readonly ToolUse[], from: number, to: number): readonly ToolUse[] {
  return tools.slice(firstUseFrom(tools, from), firstUseFrom(tools, to));
}

/** Position of the first use that is not begun before a turn. */
export function firstUseFrom(tools: readonly ToolUse[], turn: number): number {
  return firstAt(tools, (use) => turnOf(use) >= turn);
}

/** Uses looked back at for a late answer, so that a long call costs no more a turn than a short one. */
const USES_READ = 40;

/** Tool uses whose answer came between two turns, in the order in which they were begun. */
export function answeredBetween(tools: readonly ToolUse[], after: number, before: number): readonly ToolUse[] {
  const end = firstUseFrom(tools, before);
  return tools
    .slice(Math.max(0, end - USES_READ), end)
    .filter(({ resultTurn }) => resultTurn !== null && resultTurn > after && resultTurn < before);
}

function turnOf(use: ToolUse): number {
  return use.callTurn ?? use.resultTurn ?? 0;
}

function firstAt<T>(rows: readonly T[], holds: (row: T) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && !holds(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}
