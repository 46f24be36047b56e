import { isJsonObject, type Json, type JsonObject } from './json.ts';

/**
 * Transcripts are stored as jsonb, which keeps no order of keys: shorter names come first, equal lengths by their bytes.
 * Whoever walks an object walks it in that order, so that a record says the same before and after it was stored, and
 * whatever order its author wrote it in.
 */
export function namesOf(object: JsonObject): string[] {
  return Object.keys(object).sort(inOrder);
}

/** The value with the keys of all its objects in the order of storage; the value itself where they are in it already. */
export function inStoredOrder(value: Json, depth = 0): Json {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => inStoredOrder(item, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  const ordered = names.every((name, at) => at === 0 || inOrder(names[at - 1] ?? '', name) < 0);
  const entries = (ordered ? names : names.sort(inOrder)).map((name): [string, Json] => [
    name,
    inStoredOrder(value[name] ?? null, depth + 1),
  ]);
  if (ordered && entries.every(([name, inner]) => inner === value[name])) return value;
  return Object.fromEntries(entries);
}

/** The same text for equal values, whatever order their keys stand in. */
export const canonicalText = (value: unknown): string =>
  JSON.stringify(inStoredOrder(JSON.parse(JSON.stringify(value))));

/** A record nests less deep than this; below it, an order is nobody's finding. */
const DEEPEST = 40;

function inOrder(a: string, b: string): number {
  const [long, short] = [bytesOf(a), bytesOf(b)];
  if (long !== short) return long - short;
  return a === b ? 0 : isBelow(a, b) ? -1 : 1;
}

/** Bytes in UTF-8 sort as code points do, which for pairs of surrogates is not how JavaScript compares. */
function isBelow(a: string, b: string): boolean {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((char, place) => char !== right[place]);
  return (left[at]?.codePointAt(0) ?? -1) < (right[at]?.codePointAt(0) ?? -1);
}

function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}
