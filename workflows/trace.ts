import {
  ContinueAsNew,
  defaultPayloadConverter,
  proxySinks,
  type Sinks,
  type WorkflowInterceptorsFactory,
  workflowInfo,
} from '@temporalio/workflow';
import { AGENT_COORDINATOR } from '../src/temporal/agent-coordinator.ts';
import { ALARMS } from '../src/temporal/alarms.ts';
import { GRACE } from '../src/temporal/grace-period.ts';
import { KEEP_RETENTION } from '../src/temporal/keep-retention.ts';
import { MODEL_READER } from '../src/temporal/model-reader.ts';
import { SETTLE_SPANS } from '../src/temporal/settle-spans.ts';
import { SOUND_READER } from '../src/temporal/sound-reader.ts';
import {
  atSpan,
  type EndedWorkflow,
  TRACE_HEADER,
  type TraceCarrier,
  traceOf,
  withTrace,
} from '../src/temporal/trace-carrier.ts';

export interface TraceSinks extends Sinks {
  traces: { workflowEnded(ended: EndedWorkflow): void };
}

/** They outlive whatever opened them: their work belongs to no request. */
const LASTING: readonly string[] = [
  AGENT_COORDINATOR,
  ALARMS,
  GRACE,
  KEEP_RETENTION,
  MODEL_READER,
  SETTLE_SPANS,
  SOUND_READER,
];
const SPAN_ID_LENGTH = 16;

/**
 * Hands the trace that a workflow's input names on to its activities and children, and tells the worker of the workflow
 * when it ends. Without a trace in the input nothing is different.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let inside: TraceCarrier | null = null;
  return {
    inbound: [
      {
        async execute(input, next) {
          const within = traceOf(input.args);
          const { workflowType, runId } = workflowInfo();
          if (within === null || LASTING.includes(workflowType)) return next(input);
          const spanId = runId.replaceAll('-', '').slice(0, SPAN_ID_LENGTH);
          inside = atSpan(within, spanId);
          const startedAtMs = Date.now();
          const tell = (failed: boolean) =>
            proxySinks<TraceSinks>().traces.workflowEnded({
              within,
              spanId,
              startedAtMs,
              endedAtMs: Date.now(),
              failed,
            });
          try {
            const result = await next(input);
            tell(false);
            return result;
          } catch (error) {
            tell(!(error instanceof ContinueAsNew));
            throw error;
          }
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          if (inside === null) return next(input);
          const header = { [TRACE_HEADER]: defaultPayloadConverter.toPayload(inside) };
          return next({ ...input, headers: { ...input.headers, ...header } });
        },
        startChildWorkflowExecution(input, next) {
          const { args } = input.options;
          if (inside === null || traceOf(args) !== null) return next(input);
          return next({ ...input, options: { ...input.options, args: withTrace(args, inside) } });
        },
      },
    ],
  };
};
