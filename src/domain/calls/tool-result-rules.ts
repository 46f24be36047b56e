import type { Json } from '../json.ts';
import { readLeaves } from '../values/json-values.ts';
import type { ToolVerdict } from '../vocabulary.ts';

/** What an answer of a tool means, as a person taught it or the tool's own definition declares. The first that fits holds. */
export interface ToolResultRule {
  /** The tool's name; `*` for every tool of the agent. */
  tool: string;
  means: ToolVerdict;
  /** Name of a field at any depth, or the end of its path (`booking.state`); null looks at the whole answer as text. */
  field: string | null;
  /** In the field: one of these is its value. In the text: one of these stands in it. Compared without case. */
  values: string[];
}

/** What the rules say of an answer; null where none fits. */
export function meaningByRules(
  body: Json,
  tool: string,
  rules: readonly ToolResultRule[],
): { means: ToolVerdict; by: string } | null {
  const own = rules.filter((rule) => rule.tool === tool || rule.tool === '*');
  if (own.length === 0) return null;
  const leaves = readLeaves(body);
  const text = leaves
    .map(({ value }) => String(value))
    .join('\n')
    .toLowerCase();
  for (const { means, field, values } of own) {
    const wanted = values.map((value) => value.toLowerCase());
    if (field === null) {
      const found = wanted.find((value) => text.includes(value));
      if (found !== undefined) return { means, by: found };
      continue;
    }
    const leaf = leaves.find(
      ({ path, name, value }) => isAt(field, path, name) && wanted.includes(String(value).toLowerCase()),
    );
    if (leaf !== undefined) return { means, by: `${leaf.path}: ${leaf.value}` };
  }
  return null;
}

function isAt(field: string, path: string, name: string): boolean {
  const plain = path.replace(/\.\d+(?=\.|$)/g, '');
  return name === field || plain === field || plain.endsWith(`.${field}`);
}
