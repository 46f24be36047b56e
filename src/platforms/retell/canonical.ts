import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { textOf } from '../lenient.ts';

/** Fields that change without the agent behaving differently: ids, times, titles and the layout of the canvas. */
const VOLATILE = new Set([
  'agent_id',
  'version',
  'base_version',
  'is_published',
  'assigned_tags',
  'last_modification_timestamp',
  'version_title',
  'version_description',
  'llm_id',
  'conversation_flow_id',
  'conversation_flow_component_id',
  'display_position',
  'begin_tag_display_position',
  'notes',
]);

const SECRET_MAPS = new Set(['headers', 'request_headers']);
const SECRET_NAME = /(api[_-]?key|token|secret|password|authorization|credential)/i;
const SORTED_BY_ID: Readonly<Record<string, string>> = { nodes: 'id', tools: 'tool_id', components: 'id' };
const MAX_DEPTH = 64;

/**
 * One form for one behaviour: volatile fields out, keys sorted, texts in NFC, nodes and tools in order of their ids,
 * secrets replaced by a digest, so that a changed secret shows without being readable.
 */
export function canonicalDocument(body: JsonObject, digestSecret: (secret: string) => string): JsonObject {
  return canonicalObject(body, digestSecret, 0);
}

function canonicalObject(value: JsonObject, digestSecret: (secret: string) => string, depth: number): JsonObject {
  const entries = Object.entries(value)
    .filter(([name]) => !VOLATILE.has(name) && !name.startsWith('webhook_'))
    .map(([name, entry]): [string, Json] => {
      if (SECRET_MAPS.has(name)) return [name, digestAll(entry, digestSecret)];
      if (SECRET_NAME.test(name) && typeof entry === 'string') return [name, digestText(entry, digestSecret)];
      return [name, canonicalValue(entry, digestSecret, depth + 1, SORTED_BY_ID[name])];
    });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function canonicalValue(value: Json, digestSecret: (secret: string) => string, depth: number, sortBy?: string): Json {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return withoutUrlSecrets(value.normalize('NFC'), digestSecret);
  if (Array.isArray(value)) {
    const items = value.map((item) => canonicalValue(item, digestSecret, depth + 1));
    return sortBy === undefined ? items : items.toSorted((a, b) => compareById(a, b, sortBy));
  }
  return isJsonObject(value) ? canonicalObject(value, digestSecret, depth) : value;
}

function compareById(a: Json, b: Json, field: string): number {
  const idOf = (item: Json) => (isJsonObject(item) ? (textOf(item[field]) ?? textOf(item.name) ?? '') : '');
  const left = idOf(a);
  const right = idOf(b);
  return left === right ? 0 : left < right ? -1 : 1;
}

function digestAll(value: Json, digestSecret: (secret: string) => string): Json {
  if (typeof value === 'string') return digestText(value, digestSecret);
  if (Array.isArray(value)) return value.map((item) => digestAll(item, digestSecret));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]): [string, Json] => [name, digestAll(entry, digestSecret)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const digestText = (secret: string, digestSecret: (secret: string) => string) =>
  secret === '' ? '' : `digest:${digestSecret(secret)}`;

/** Addresses of tools and servers may carry a password before the host or a key after the question mark. */
function withoutUrlSecrets(text: string, digestSecret: (secret: string) => string): string {
  if (!/^(https?|wss?):\/\//.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const hasSecretQuery = [...url.searchParams.keys()].some((name) => SECRET_NAME.test(name) || name === 'key');
  if (!url.password && !hasSecretQuery) return text;
  if (url.password) url.password = digestText(url.password, digestSecret);
  const secrets = [...url.searchParams].filter(([name]) => SECRET_NAME.test(name) || name === 'key');
  for (const [name, value] of secrets) url.searchParams.set(name, digestText(value, digestSecret));
  return url.href;
}
