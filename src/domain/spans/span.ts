import type { Json, JsonObject } from '../json.ts';

/** One span of OpenTelemetry, as plain JSON. Times are milliseconds since 1970, with fractions. */
export type Span = {
  traceId: string;
  spanId: string;
  parentId: string | null;
  name: string;
  startMs: number;
  endMs: number;
  attributes: JsonObject;
  events: SpanEvent[];
  /** What its status says went wrong; null where it does not say so. */
  error: string | null;
  /** Set where only events of the span came in, which some libraries send as logs. */
  onlyEvents?: true;
};

export type SpanEvent = {
  name: string;
  atMs: number;
  attributes: JsonObject;
};

/** Spans that one program sent from one library of its. */
export type SpanGroup = {
  /** Of the program: its service, version and SDK. */
  resource: JsonObject;
  /** Name of the library that made the spans. */
  scope: string;
  spans: Span[];
};

/** What a record of spans says that it is: only we make such records. */
export const SPAN_RECORD = 'earshot.call_spans';

/** A span with where it came from. */
export interface SentSpan extends Span {
  resource: JsonObject;
  scope: string;
}

export const flatten = (groups: readonly SpanGroup[]): SentSpan[] =>
  groups.flatMap(({ resource, scope, spans }) => spans.map((span) => ({ ...span, resource, scope })));

/** The first of these attributes that is a text with something in it. */
export function textAttribute(span: Pick<Span, 'attributes'>, ...names: string[]): string | null {
  for (const name of names) {
    const value: Json | undefined = span.attributes[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}
