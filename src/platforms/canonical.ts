import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { textOf } from './lenient.ts';

const SECRET_MAPS = new Set(['headers', 'request_headers']);
const SECRET_NAME = /(api[_-]?key|token|secret|password|authorization|credential)/i;
const MAX_DEPTH = 64;

/** What of a platform's documents is no behaviour, and which lists have no order of their own. */
export interface CanonicalRecipe {
  /** Names of fields that change without the agent behaving differently. */
  volatile: ReadonlySet<string>;
  /** Fields whose names begin like this are left out too. */
  volatilePrefix?: string;
  /** Lists by name, with the field that their items are sorted by. */
  sortedBy: Readonly<Record<string, string>>;
}

type DigestSecret = (secret: string) => string;

/**
 * One form for one behaviour: volatile fields out, keys sorted, texts in NFC, parts in order of their ids, secrets
 * replaced by a digest, so that a changed secret shows without being readable.
 */
export function canonicalDocument(body: JsonObject, recipe: CanonicalRecipe, digestSecret: DigestSecret): JsonObject {
  const prefix = recipe.volatilePrefix;
  const isVolatile = (name: string) => recipe.volatile.has(name) || (prefix !== undefined && name.startsWith(prefix));

  function ofObject(value: JsonObject, depth: number): JsonObject {
    const entries = Object.entries(value)
      .filter(([name]) => !isVolatile(name))
      .map(([name, entry]): [string, Json] => {
        if (SECRET_MAPS.has(name)) return [name, digestAll(entry, digestSecret)];
        if (SECRET_NAME.test(name) && typeof entry === 'string') return [name, digestText(entry, digestSecret)];
        return [name, ofValue(entry, depth + 1, recipe.sortedBy[name])];
      });
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  function ofValue(value: Json, depth: number, sortBy?: string): Json {
    if (depth > MAX_DEPTH) return null;
    if (typeof value === 'string') return withoutUrlSecrets(value.normalize('NFC'), digestSecret);
    if (Array.isArray(value)) {
      const items = value.map((item) => ofValue(item, depth + 1));
      return sortBy === undefined ? items : items.toSorted((a, b) => compareById(a, b, sortBy));
    }
    return isJsonObject(value) ? ofObject(value, depth) : value;
  }

  return ofObject(body, 0);
}

function compareById(a: Json, b: Json, field: string): number {
  const idOf = (item: Json) => (isJsonObject(item) ? (textOf(item[field]) ?? textOf(item.name) ?? '') : '');
  const left = idOf(a);
  const right = idOf(b);
  return left === right ? 0 : left < right ? -1 : 1;
}

function digestAll(value: Json, digestSecret: DigestSecret): Json {
  if (typeof value === 'string') return digestText(value, digestSecret);
  if (Array.isArray(value)) return value.map((item) => digestAll(item, digestSecret));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]): [string, Json] => [name, digestAll(entry, digestSecret)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const digestText = (secret: string, digestSecret: DigestSecret) =>
  secret === '' ? '' : `digest:${digestSecret(secret)}`;

/** Addresses of tools and servers may carry a password before the host or a key after the question mark. */
function withoutUrlSecrets(text: string, digestSecret: DigestSecret): string {
  if (!/^(https?|wss?):\/\//.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const hasSecretQuery = [...url.searchParams.keys()].some((name) => SECRET_NAME.test(name) || name === 'key');
  if (!url.password && !hasSecretQuery) return text;
  if (url.password) url.password = digestText(url.password, digestSecret);
  const secrets = [...url.searchParams].filter(([name]) => SECRET_NAME.test(name) || name === 'key');
  for (const [name, value] of secrets) url.searchParams.set(name, digestText(value, digestSecret));
  return url.href;
}
