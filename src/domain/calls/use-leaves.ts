import { type Leaf, readLeaves } from '../values/json-values.ts';
import { unwrap } from './tool-envelopes.ts';
import type { ToolUse } from './tool-uses.ts';

// Kept on the use and not in a map beside it: a map with weak keys keeps what it holds through the frequent collections of
// young memory, and with it the whole call.

/** The leaves of what a tool was given; read once a use, however many rules ask. */
export function argumentLeaves(use: ToolUse): readonly Leaf[] {
  use.leaves.args ??= readLeaves(use.args);
  return use.leaves.args;
}

/** The leaves of what a tool answered; read once a use, however many rules ask. */
export function resultLeaves(use: ToolUse): readonly Leaf[] {
  use.leaves.body ??= readLeaves(unwrap(use.body));
  return use.leaves.body;
}
