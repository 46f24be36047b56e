import { type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type { AnalysisActivities, ControlActivities } from '../activities/index.ts';
import { TASK_QUEUES } from '../src/durable/task-queues.ts';

/** Without a bound on attempts: a database that is away is waited out; faults of ours are bounded in `activities/failures.ts`. */
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const;

/** Short statements on the record. */
export const control = proxyActivities<ControlActivities>({
  taskQueue: TASK_QUEUES.control,
  startToCloseTimeout: '20 seconds',
  retry,
});

/** Work on calls. A dead worker is noticed by its missing heartbeats, an endless page by the longer bound. */
const ANALYSIS: ActivityOptions = {
  taskQueue: TASK_QUEUES.analysis,
  startToCloseTimeout: '20 minutes',
  heartbeatTimeout: '10 seconds',
  retry,
};

/** @param summary one line that the Temporal UI shows beside the activity. */
export const analysis = (summary: string) => proxyActivities<AnalysisActivities>({ ...ANALYSIS, summary });
