import type { ToolUse } from './tool-uses.ts';
import { type Leaf, readLeaves } from './values/json-values.ts';

type Leaves = readonly Leaf[];

const ARGUMENTS = new WeakMap<ToolUse, Leaves>();
const RESULTS = new WeakMap<ToolUse, Leaves>();

/** The leaves of what a tool was given; read once a use, however many rules ask. */
export function argumentLeaves(use: ToolUse): Leaves {
  const known = ARGUMENTS.get(use) ?? readLeaves(use.args);
  ARGUMENTS.set(use, known);
  return known;
}

/** The leaves of what a tool answered; read once a use, however many rules ask. */
export function resultLeaves(use: ToolUse): Leaves {
  const known = RESULTS.get(use) ?? readLeaves(use.body);
  RESULTS.set(use, known);
  return known;
}
