import { readFileSync } from 'node:fs';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { mergeSpans } from '../../src/domain/spans/merge-spans.ts';
import type { SentSpan } from '../../src/domain/spans/span.ts';
import { splitCalls } from '../../src/domain/spans/split-calls.ts';
import { readTraces } from '../../src/inbound/otlp/read-traces.ts';
import { traceRequest } from '../../src/inbound/otlp/schema.ts';
import { normaliseSpans } from '../../src/platforms/otel/normalise.ts';

/** When the calls of the examples were. */
export const T0 = Date.UTC(2026, 10, 10, 10, 30);
export const LATER = T0 + 86_400_000;

export const exampleBytes = (name: string) => readFileSync(new URL(`../platforms/spans/${name}.json`, import.meta.url));
export const exampleSpans = (name: string): SentSpan[] => mergeSpans([readTraces(exampleBytes(name), 'json').groups]);

/** The one call of these spans. */
export function callOf(spans: readonly SentSpan[]): NormalisedCall {
  const { calls } = splitCalls(spans);
  const [call] = calls;
  if (!call || calls.length > 1) throw new Error(`The spans hold ${calls.length} calls.`);
  return normaliseSpans(call, LATER);
}

export interface SpanSketch {
  id: string;
  name: string;
  /** Seconds after T0. */
  from: number;
  to: number;
  parent?: string | null;
  trace?: string;
  scope?: string;
  attributes?: JsonObject;
  resource?: JsonObject;
}

const hex = (text: string, length: number) => Buffer.from(text).toString('hex').padStart(length, '0').slice(-length);

/** A span with names for ids: `a`, `b`. */
export function makeSpan(sketch: SpanSketch): SentSpan {
  const { id, name, from, to, parent = null, trace = 'a trace', scope = 'livekit-agents' } = sketch;
  return {
    traceId: hex(trace, 32),
    spanId: hex(id, 16),
    parentId: parent === null ? null : hex(parent, 16),
    name,
    startMs: T0 + from * 1000,
    endMs: T0 + to * 1000,
    attributes: sketch.attributes ?? {},
    events: [],
    error: null,
    scope,
    resource: sketch.resource ?? {},
  };
}

/** A short talk of LiveKit: a question, an answer, and the session around them. */
export function talkSpans(ref: string | null, at: { trace: string; from: number }, prefix: string): SentSpan[] {
  const named: JsonObject = ref === null ? {} : { 'gen_ai.conversation.id': ref };
  const { trace, from } = at;
  const of = (sketch: Omit<SpanSketch, 'trace'>) => makeSpan({ ...sketch, trace });
  const session = `${prefix}-s`;
  return [
    of({
      id: `${prefix}-u`,
      name: 'user_turn',
      parent: session,
      from: from + 1,
      to: from + 3,
      attributes: { ...named, 'lk.pii.user_transcript': `question of ${prefix}` },
    }),
    of({
      id: `${prefix}-a`,
      name: 'agent_turn',
      parent: session,
      from: from + 3,
      to: from + 6,
      attributes: { ...named, 'lk.pii.response.text': `answer to ${prefix}`, 'lk.interrupted': false },
    }),
    of({ id: `${prefix}-p`, name: 'agent_speaking', parent: `${prefix}-a`, from: from + 4, to: from + 5.5 }),
    of({ id: session, name: 'agent_session', from, to: from + 8, attributes: { ...named, 'lk.agent_label': 'a' } }),
  ];
}

type Wire = Record<string, unknown>;

/** A request of OTLP in JSON, as exporters write it. */
export function otlpJson(spans: readonly SentSpan[]): { resourceSpans: Wire[] } {
  const resourceSpans = spans.map((span) => ({
    resource: { attributes: attributesOf(span.resource) },
    scopeSpans: [{ scope: { name: span.scope }, spans: [wireOf(span)] }],
  }));
  return { resourceSpans };
}

/** The same request in protobuf. */
export const otlpBytes = (spans: readonly SentSpan[]) => protobufOf(otlpJson(spans));

/** A request of OTLP in protobuf, whose ids are bytes. */
export function protobufOf({ resourceSpans }: { resourceSpans: Wire[] }): Buffer {
  const request = { resourceSpans } as { resourceSpans: { scopeSpans: { spans: Wire[] }[] }[] };
  for (const span of request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans: all }) => all))) {
    for (const id of ['traceId', 'spanId', 'parentSpanId']) span[id] = Buffer.from(String(span[id]), 'hex');
  }
  return Buffer.from(traceRequest.encode(traceRequest.fromObject(request)).finish());
}

export function wireOf(span: SentSpan): Wire {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentId ?? '',
    name: span.name,
    startTimeUnixNano: nanosOf(span.startMs),
    endTimeUnixNano: nanosOf(span.endMs),
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name, atMs, attributes }) => ({
      name,
      timeUnixNano: nanosOf(atMs),
      attributes: attributesOf(attributes),
    })),
    status: span.error === null ? {} : { code: 2, message: span.error },
  };
}

const nanosOf = (ms: number) => String(BigInt(Math.round(ms * 1000)) * 1000n);

export const attributesOf = (attributes: JsonObject) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

function valueOf(value: Json): Wire {
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return { stringValue: String(value) };
}
