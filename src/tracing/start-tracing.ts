import type { TraceSettings } from './open-tracer.ts';
import { useTracer } from './tracing.ts';

export interface Tracing {
  /** Sends what is left. */
  close(): Promise<void>;
}

/** @param traces null: nothing is traced, and nothing of OpenTelemetry is loaded. */
export async function startTracing(service: string, traces: TraceSettings | null): Promise<Tracing> {
  if (traces === null) return { close: async () => {} };
  const { openTracer } = await import('./open-tracer.ts');
  const tracer = openTracer(service, traces);
  useTracer(tracer);
  return {
    async close() {
      useTracer(null);
      // A collector that is away holds nobody up.
      await tracer.close().catch(() => {});
    },
  };
}
