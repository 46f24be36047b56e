/** Where in a trace a piece of work stands, and the request that began it: what travels with an order to do something. */
export interface TraceCarrier {
  /** As W3C Trace Context writes it. */
  traceparent: string;
  requestId: string | null;
}

/** Header of activities. */
export const TRACE_HEADER = 'earshot-trace';

/** What a workflow says of itself at its end, by a sink, where it was begun within a trace. */
export interface EndedWorkflow {
  within: TraceCarrier;
  /** Under which what it did stands. */
  spanId: string;
  startedAtMs: number;
  endedAtMs: number;
  failed: boolean;
}

/** @returns the trace that the first argument names, such as the input of a workflow. */
export function traceOf([first]: readonly unknown[]): TraceCarrier | null {
  return isObject(first) && isCarrier(first['trace']) ? first['trace'] : null;
}

/** Names a trace in the first argument; what is no object stays as it is. */
export function withTrace<Args extends readonly unknown[]>(args: Args, trace: TraceCarrier): Args {
  const [first, ...others] = args;
  // The same arguments with a field more, which nobody else reads.
  return isObject(first) ? ([{ ...first, trace }, ...others] as unknown as Args) : args;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export const isCarrier = (value: unknown): value is TraceCarrier =>
  isObject(value) && typeof value['traceparent'] === 'string';

/** The same trace and request, at another span. */
export function atSpan({ traceparent, requestId }: TraceCarrier, spanId: string): TraceCarrier {
  const [version, traceId, , flags] = traceparent.split('-');
  return { traceparent: [version, traceId, spanId, flags].join('-'), requestId };
}
