import { isJsonObject, type Json } from '../json.ts';
import { namesOf } from '../json-order.ts';

/** A leaf of a tool's arguments or result with the names that lead to it. */
export interface Leaf {
  /** Names and positions from the root, such as `payment_history.1.amount`. */
  path: string;
  /** The last name on the way that is no position: `amount`. */
  name: string;
  value: string | number | boolean | null;
}

const LEAVES_AT_MOST = 2000;
const DEEPEST = 12;

/** The leaves of a JSON value in order; a text that holds JSON is read as such. Bounded, so that a huge result costs no more than a large one. */
export function readLeaves(body: Json): Leaf[] {
  const leaves: Leaf[] = [];
  walk(parsed(body), '', '', 0, leaves);
  return leaves;
}

function walk(value: Json, path: string, name: string, depth: number, leaves: Leaf[]): void {
  if (leaves.length >= LEAVES_AT_MOST || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) walk(one, `${path}.${at}`, name, depth + 1, leaves);
  } else if (isJsonObject(value)) {
    for (const key of namesOf(value))
      walk(value[key] ?? null, path === '' ? key : `${path}.${key}`, key, depth + 1, leaves);
  } else {
    leaves.push({ path, name, value });
  }
}

/** The path of the object around a leaf; empty at the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

function parsed(body: Json): Json {
  if (typeof body !== 'string') return body;
  const first = body.trimStart().charCodeAt(0);
  if (first !== 0x7b && first !== 0x5b) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
