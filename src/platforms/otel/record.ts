import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { groupSpans, mergeSpans } from '../../domain/spans/merge-spans.ts';
import { SPAN_RECORD, type SpanGroup } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';

/** The spans of a call as its record keeps them. */
export function spanRecord({ ref, spans, whole }: CallSpans): JsonObject {
  return { object: SPAN_RECORD, ref, wholeSpanId: whole?.spanId ?? null, groups: groupSpans(spans) };
}

/** Null for what is no record of spans. */
export function readSpanRecord(payload: JsonObject): CallSpans | null {
  if (payload.object !== SPAN_RECORD || typeof payload.ref !== 'string' || !Array.isArray(payload.groups)) return null;
  const spans = mergeSpans([payload.groups.filter(isGroup)]);
  return { ref: payload.ref, spans, whole: spans.find(({ spanId }) => spanId === payload.wholeSpanId) ?? null };
}

/** Records come from our own table: this only tells them from what a person uploads. */
const isGroup = (entry: Json): entry is SpanGroup =>
  isJsonObject(entry) && typeof entry.scope === 'string' && isJsonObject(entry.resource) && Array.isArray(entry.spans);
