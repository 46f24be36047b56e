import type { JsonObject } from '../json.ts';
import { flatten, type SentSpan, type SpanGroup } from './span.ts';

/**
 * Spans as they came in, oldest request first, each once and in order of their begin: of one that came twice the later
 * form holds.
 */
export function mergeSpans(batches: readonly (readonly SpanGroup[])[]): SentSpan[] {
  const known = new Map<string, SentSpan>();
  for (const groups of batches) {
    for (const span of flatten(groups)) known.set(`${span.traceId} ${span.spanId}`, span);
  }
  return [...known.values()].sort(
    (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.spanId < b.spanId ? -1 : 1),
  );
}

/** The same spans by where they came from, as they are stored. */
export function groupSpans(spans: readonly SentSpan[]): SpanGroup[] {
  const one = oneOfEach();
  const byResource = new Map<JsonObject, Map<string, SpanGroup>>();
  for (const { resource: given, scope, ...span } of spans) {
    const resource = one(given);
    const groups = byResource.get(resource) ?? new Map<string, SpanGroup>();
    byResource.set(resource, groups);
    const group = groups.get(scope) ?? { resource, scope, spans: [] };
    groups.set(scope, group);
    group.spans.push(span);
  }
  return [...byResource.values()].flatMap((groups) => [...groups.values()]);
}

/** Equal resources become one object. Each object is written out once to compare it, however many spans share it. */
function oneOfEach(): (resource: JsonObject) => JsonObject {
  const known = new Map<JsonObject, JsonObject>();
  const byText = new Map<string, JsonObject>();
  return (resource) => {
    const before = known.get(resource);
    if (before) return before;
    const text = JSON.stringify(resource);
    const one = byText.get(text) ?? resource;
    byText.set(text, one);
    known.set(resource, one);
    return one;
  };
}
