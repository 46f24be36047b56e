import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityInterceptors, InjectedSinks } from '@temporalio/worker';
import { isCarrier, TRACE_HEADER } from '../../src/temporal/trace-carrier.ts';
import { inSpan, noteSpan } from '../../src/tracing/tracing.ts';
import type { TraceSinks } from '../../workflows/trace.ts';

/** Has an activity that was ordered within a trace be a span of it. */
export function traceActivity({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const header = input.headers[TRACE_HEADER];
        const parent = header && defaultPayloadConverter.fromPayload(header);
        if (!isCarrier(parent)) return next(input);
        const { activityType, attempt, workflowExecution, taskQueue } = info;
        const attributes = {
          'temporal.workflow_id': workflowExecution?.workflowId ?? '',
          'temporal.task_queue': taskQueue,
          'temporal.attempt': attempt,
        };
        return inSpan({ name: `activity ${activityType}`, kind: 'consumer', attributes }, () => next(input), parent);
      },
    },
  };
}

/** Writes the spans of workflows, which can't do so where they run. */
export const traceSinks: InjectedSinks<TraceSinks> = {
  traces: {
    workflowEnded: {
      fn({ workflowType, workflowId, runId }, { failed, ...ended }) {
        noteSpan({
          ...ended,
          name: `workflow ${workflowType}`,
          kind: 'internal',
          attributes: { 'temporal.workflow_id': workflowId, 'temporal.run_id': runId },
          failure: failed ? 'failed' : null,
        });
      },
    },
  },
};
