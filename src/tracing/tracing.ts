import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceCarrier } from '../temporal/trace-carrier.ts';

/** What a span says besides its time. */
export interface SpanWords {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
}
export type Attributes = Record<string, string | number>;

/** A span that was begun. */
export interface Span {
  /** For what is done within it. */
  carrier: TraceCarrier;
  /** Once. @param failure what went wrong, in words; null where nothing did */
  end(failure: string | null, attributes?: Attributes): void;
}

/** A span whose times are known. */
export interface PastSpan extends SpanWords {
  within: TraceCarrier;
  spanId: string;
  startedAtMs: number;
  endedAtMs: number;
  failure: string | null;
}

/** What writes spans and sends them; `open-tracer.ts` has the one of OpenTelemetry. */
export interface Tracer {
  begin(words: SpanWords, within: TraceCarrier | null, requestId: string | null): Span;
  note(span: PastSpan): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

let tracer: Tracer | null = null;
const place = new AsyncLocalStorage<TraceCarrier>();

/** Once a process, before anything else; null: nothing is traced, as at first. */
export function useTracer(given: Tracer | null): void {
  tracer = given;
}

export const isTracing = (): boolean => tracer !== null;

/** Where in a trace this is done; null outside of any. */
export const currentTrace = (): TraceCarrier | null => (tracer === null ? null : (place.getStore() ?? null));

/** Begins a trace with a request. @returns null where nothing is traced. */
export function beginTrace(words: SpanWords, requestId: string): Span | null {
  return tracer?.begin(words, null, requestId) ?? null;
}

export function within<Result>(carrier: TraceCarrier, work: () => Result): Result {
  return place.run(carrier, work);
}

/** Does the work as a span of a trace, or without one where there is none. */
export async function inSpan<Result>(
  words: SpanWords,
  work: () => Promise<Result>,
  parent: TraceCarrier | null = currentTrace(),
): Promise<Result> {
  if (tracer === null || parent === null) return work();
  const span = tracer.begin(words, parent, parent.requestId);
  try {
    const result = await place.run(span.carrier, work);
    span.end(null);
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'unknown');
    throw error;
  }
}

export function noteSpan(span: PastSpan): void {
  tracer?.note(span);
}
