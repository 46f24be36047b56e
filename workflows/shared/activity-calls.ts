import { ActivityCancellationType, type ActivityOptions, proxyActivities } from '@temporalio/workflow';
import type {
  AnalysisActivities,
  CheckActivities,
  ControlActivities,
  ConversationActivities,
  DeliveryActivities,
  ModelActivities,
  SoundActivities,
} from '../../activities/index.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';

/** Without a bound on attempts: a database that is away is waited out; faults of ours are bounded in `activities/shared/failures.ts`. */
const retry = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' } as const;

/** Short statements on the record. */
export const control = proxyActivities<ControlActivities>({
  taskQueue: TASK_QUEUES.control,
  startToCloseTimeout: '20 seconds',
  retry,
});

/**
 * Work on calls. A dead worker is noticed by its missing heartbeats, an endless page by the longer bound. What ends its
 * worker at each try says nothing of it, and is given up after a day.
 */
const ANALYSIS: ActivityOptions = {
  taskQueue: TASK_QUEUES.analysis,
  startToCloseTimeout: '20 minutes',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '10 seconds',
  retry,
};

/** One look, a minute long at most, and the wait for its turn among those of other workspaces. */
export const check = (summary: string) =>
  proxyActivities<CheckActivities>({
    ...ANALYSIS,
    taskQueue: TASK_QUEUES.checks,
    scheduleToCloseTimeout: '20 minutes',
    summary,
  });

/** @param summary one line that the Temporal UI shows beside the activity. */
export const analysis = (summary: string) => proxyActivities<AnalysisActivities>({ ...ANALYSIS, summary });

/** Writes at a platform of which the end has to be known, also where they are cancelled. @param summary as above */
export const lasting = (summary: string) =>
  proxyActivities<AnalysisActivities>({
    ...ANALYSIS,
    scheduleToCloseTimeout: undefined,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary,
  });

/**
 * Questions to a model: how often one is asked is bounded in the record. A judge may be asked three times within one
 * attempt, each time for two minutes at most.
 */
const MODELS: ActivityOptions = {
  taskQueue: TASK_QUEUES.models,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '2 seconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** @param summary one line that the Temporal UI shows beside the activity. */
export const models = (summary: string) => proxyActivities<ModelActivities>({ ...MODELS, summary });

/**
 * Recordings, which are fetched while they are decoded: at most five minutes of fetching. @param summary as above
 */
export const sound = (summary: string) =>
  proxyActivities<SoundActivities>({
    taskQueue: TASK_QUEUES.sound,
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: '10 seconds',
    retry,
    summary,
  });

/** Many questions of one activity: what it has stored by its end is not asked again by the next try. */
export const manyQuestions = (summary: string) =>
  proxyActivities<ModelActivities>({ ...MODELS, startToCloseTimeout: '2 hours', summary });

/** One try of a delivery; a dead worker is noticed by its missing heartbeats. */
export const deliveries = proxyActivities<DeliveryActivities>({
  taskQueue: TASK_QUEUES.deliveries,
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry,
});

/**
 * One simulated call from its first turn to its last. A cancelled one says first that it has stopped, so that what it
 * cost is known when the run settles.
 */
const CONVERSATIONS: ActivityOptions = {
  taskQueue: TASK_QUEUES.conversations,
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry,
};

/** @param summary one line that the Temporal UI shows beside the activity. */
export const conversation = (summary: string) => proxyActivities<ConversationActivities>({ ...CONVERSATIONS, summary });

/** Many simulated calls of one activity: what is in the record by its end is not played again by the next try. */
export const manyConversations = (summary: string) =>
  proxyActivities<ConversationActivities>({ ...CONVERSATIONS, startToCloseTimeout: '4 hours', summary });
