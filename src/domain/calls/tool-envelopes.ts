import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parseJson } from '../parse-json.ts';
import { plainLetters } from '../words/folding.ts';
import { ENVELOPES } from '../words/tools/results.ts';

const PARSED_AT_MOST = 1_000_000;
const DEEPEST = 6;
const PARTS_AT_MOST = 200;

/** `isError`, `is_error` and `IsError` are one field, and `éxito` is `exito`. */
export function plainKey(key: string): string {
  return plainLetters(key)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/**
 * An answer without what carries it: JSON in strings (also as Python prints it), content parts (`{type: "text", text}`), and
 * items of workflow tools (`{json}`). What lies in a field of its own stays there.
 */
export function unwrap(value: Json, depth = 0): Json {
  if (depth > DEEPEST) return value;
  if (typeof value === 'string') {
    const parsed = jsonIn(value);
    return parsed === undefined ? value : unwrap(parsed, depth + 1);
  }
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > PARTS_AT_MOST || !value.every(isPart)) return value;
    const inner = value.map((part) => unwrap(contentOf(part), depth + 1));
    if (inner.length === 1) return inner[0] ?? null;
    return inner.every((one) => typeof one === 'string') ? inner.join('\n') : inner;
  }
  if (!isJsonObject(value)) return value;
  if (isPart(value)) return unwrap(contentOf(value), depth + 1);
  return withInner(value, depth);
}

function withInner(value: JsonObject, depth: number): JsonObject {
  let changed: JsonObject | null = null;
  for (const key in value) {
    const child = value[key] ?? null;
    if ((typeof child !== 'string' && !Array.isArray(child)) || !ENVELOPES.has(plainKey(key))) continue;
    const inner = unwrap(child, depth + 1);
    if (inner !== child) changed = { ...(changed ?? value), [key]: inner };
  }
  return changed ?? value;
}

const PART_KEYS = new Set(['type', 'text', 'json', 'annotations', 'cache_control', 'pairedItem', 'index', '_meta']);

/** Nothing but its content and its kind. */
function isPart(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const holdsText = typeof value['text'] === 'string' && typeof value['type'] === 'string';
  if (!holdsText && !(isJsonObject(value['json'] ?? null) || Array.isArray(value['json']))) return false;
  return Object.keys(value).every((key) => PART_KEYS.has(key));
}

const contentOf = (part: Json): Json => (isJsonObject(part) ? (part['json'] ?? part['text'] ?? null) : part);

function jsonIn(text: string): Json | undefined {
  if (text.length > PARSED_AT_MOST) return undefined;
  const trimmed = withoutFence(text.trim());
  if (!/^[[{"]/.test(trimmed)) return undefined;
  return (
    parseJson(trimmed) ?? (/^[[{]\s{0,9}(?:\{\s{0,9})?'/.test(trimmed) ? parseJson(fromPython(trimmed)) : undefined)
  );
}

const FENCE = '```';

function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  return text.slice(FENCE.length, -FENCE.length).replace(/^json/, '').trim();
}

const NAMES: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

/** `{'ok': False}`, as Python prints a dictionary. */
function fromPython(text: string): string {
  let json = '';
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    if (char === "'" || char === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== char) end += text[end] === '\\' ? 2 : 1;
      json += JSON.stringify(text.slice(at + 1, end).replaceAll(/\\(.)/g, '$1'));
      at = end + 1;
      continue;
    }
    const name = Object.keys(NAMES).find((one) => text.startsWith(one, at));
    json += name === undefined ? char : NAMES[name];
    at += name?.length ?? 1;
  }
  return json;
}
