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
  const groups = new Map<string, SpanGroup>();
  for (const { resource, scope, ...span } of spans) {
    const key = `${scope}\n${JSON.stringify(resource)}`;
    const group = groups.get(key) ?? { resource, scope, spans: [] };
    groups.set(key, group);
    group.spans.push(span);
  }
  return [...groups.values()];
}
