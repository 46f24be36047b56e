import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';

/** More entries than any talk with a model has: an index beyond it is no place in a list. */
const INDEX_MAX = 10_000;
/** More levels than any library writes. */
const LEVELS_MAX = 16;

/**
 * A value that was written out over many attributes: `gen_ai.prompt.0.role`, `llm.input_messages.0.message.content`.
 * Numbers become places in a list, and where some are missing the others move up.
 * @returns null where no attribute begins so
 */
export function indexedValue(attributes: JsonObject, prefix: string): Json {
  const root: Branch = new Map();
  for (const [name, value] of Object.entries(attributes)) {
    const path = name.startsWith(`${prefix}.`) ? name.slice(prefix.length + 1) : '';
    if (/^\d{1,5}(\.|$)/.test(path)) place(root, path, value);
  }
  return root.size === 0 ? null : plain(root);
}

type Branch = Map<string, Branch | { leaf: Json }>;

function place(root: Branch, path: string, value: Json): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  if (names.length >= LEVELS_MAX) return;
  let at = root;
  for (const name of names) {
    const below = at.get(name);
    const branch = below instanceof Map ? below : new Map();
    if (branch !== below) at.set(name, branch);
    at = branch;
  }
  if (!(at.get(last) instanceof Map)) at.set(last, { leaf: value });
}

function plain(branch: Branch): Json {
  const entries = [...branch].map(([name, value]): [string, Json] => [
    name,
    value instanceof Map ? plain(value) : value.leaf,
  ]);
  const places = entries.map(([name]) => (/^\d{1,5}$/.test(name) ? Number(name) : Number.NaN));
  if (places.every((at) => at <= INDEX_MAX)) {
    return entries
      .map(([, value], at) => ({ value, at: places[at] ?? 0 }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);
  }
  const object: Json = Object.fromEntries(entries.filter(([name]) => name !== '__proto__'));
  return isJsonObject(object) ? object : null;
}
