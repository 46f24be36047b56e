import type { JsonObject } from '../json.ts';
import { flatten, type SentSpan, type SpanEvent, type SpanGroup } from './span.ts';

/**
 * Spans as they came in, oldest request first, each once and in order of their begin: of one that came twice the later
 * form holds. Events that were sent apart are put with their span, or stand for it where it did not come in.
 */
export function mergeSpans(batches: readonly (readonly SpanGroup[])[]): SentSpan[] {
  const known = new Map<string, SentSpan>();
  const apart = new Map<string, SentSpan>();
  for (const groups of batches) {
    for (const span of flatten(groups)) {
      const key = `${span.traceId} ${span.spanId}`;
      if (span.onlyEvents !== true) known.set(key, span);
      else apart.set(key, withEvents(apart.get(key) ?? span, apart.has(key) ? span.events : []));
    }
  }
  for (const [key, events] of apart)
    known.set(key, withEvents(known.get(key) ?? events, known.has(key) ? events.events : []));
  return [...known.values()].sort(
    (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.spanId < b.spanId ? -1 : 1),
  );
}

const withEvents = (span: SentSpan, more: readonly SpanEvent[]): SentSpan => ({
  ...span,
  events: [...span.events, ...more].sort((a, b) => a.atMs - b.atMs),
  ...(span.onlyEvents === true
    ? {
        startMs: more.reduce((least, { atMs }) => Math.min(least, atMs), span.startMs),
        endMs: more.reduce((most, { atMs }) => Math.max(most, atMs), span.endMs),
      }
    : {}),
});

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
