import { type Context, ROOT_CONTEXT, type Span as SdkSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceCarrier } from '../temporal/trace-carrier.ts';
import type { Attributes, Span, SpanWords, Tracer } from './tracing.ts';

/** As every span says it, so that a request is found by what its answer said. */
const REQUEST_ID = 'earshot.request_id';
const SAMPLED = 1;

const KINDS: Record<SpanWords['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Ids as usual, but for a span whose id was told before it was written. */
class Ids extends RandomIdGenerator {
  next: string | null = null;
  readonly #random = this.generateSpanId;

  constructor() {
    super();
    this.generateSpanId = () => {
      const told = this.next;
      this.next = null;
      return told ?? this.#random();
    };
  }
}

export interface TraceSettings {
  /** Of the traces that are kept, from 0 to 1. */
  share: number;
  /** Until spans that have ended are sent together. */
  delayMs: number;
}

/** Sends spans over OTLP, with address, headers and name as OpenTelemetry's standard variables say. */
export function openTracer(service: string, { share, delayMs }: TraceSettings): Tracer {
  const ids = new Ids();
  const provider = new TracerProvider({
    // What the environment says comes last and wins.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer('earshot');
  const start = (words: SpanWords, parent: Context, requestId: string | null, startTime?: number) =>
    tracer.startSpan(
      words.name,
      {
        kind: KINDS[words.kind],
        attributes: { ...words.attributes, ...(requestId !== null && { [REQUEST_ID]: requestId }) },
        ...(startTime !== undefined && { startTime }),
      },
      parent,
    );
  return {
    begin(words, within, requestId) {
      return spanOf(start(words, contextOf(within), requestId), requestId);
    },
    note({ within, spanId, startedAtMs, endedAtMs, failure, ...words }) {
      ids.next = spanId;
      const span = start(words, contextOf(within), within.requestId, startedAtMs);
      ids.next = null;
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end(endedAtMs);
    },
    close: () => provider.shutdown(),
  };
}

function spanOf(span: SdkSpan, requestId: string | null): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    carrier: { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`, requestId },
    end(failure: string | null, attributes: Attributes = {}) {
      span.setAttributes(attributes);
      if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end();
    },
  };
}

function contextOf(within: TraceCarrier | null): Context {
  const [, traceId = '', spanId = '', flags = ''] = within?.traceparent.split('-') ?? [];
  if (within === null) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
