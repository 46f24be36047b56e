import type { PayloadCodec } from '@temporalio/common';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../src/logger.ts';
import { Slots } from '../src/slots.ts';
import { dataConverterOf, type TemporalPlace, temporalConnectConfig } from '../src/temporal/client.ts';
import { CELLS_OF_A_WINDOW } from '../src/temporal/run-tests.ts';
import { TASK_QUEUES } from '../src/temporal/task-queues.ts';
import type { ActivityDeps } from './deps.ts';
import {
  createAnalysisActivities,
  createCheckActivities,
  createControlActivities,
  createConversationActivities,
  createDeliveryActivities,
  createModelActivities,
  createSoundActivities,
} from './index.ts';
import { traceActivity, traceSinks } from './shared/trace-work.ts';

const RECONNECT_MS = 2_000;
/** Under the half minute in which a killed worker's work must have gone on elsewhere. */
const STICKY_MS = 2_000;
const GRACE_MS = 25_000;
const FORCE_MS = 30_000;

/** How much one worker does at the same time, beside what its models and conversations say. */
export interface WorkerSize {
  analysisSlots: number;
  /** A dead receiver holds a slot for 15 seconds: many, so that the others are not held up. */
  deliverySlots: number;
  /** Workflows that it need not replay when they go on. */
  cachedWorkflows: number;
}

export interface RunWorkersOptions {
  deps: ActivityDeps;
  size: WorkerSize;
  bundlePath: string;
  logger: Logger;
  /** Seals and opens what is in Temporal's histories; left out: all of it is plain. */
  payloadCodec?: PayloadCodec;
  /** Where Temporal is, where the environment is not what counts. */
  place?: TemporalPlace;
  /** Aborted to drain and end. */
  stop: AbortSignal;
  /** Called each time that all queues are polled. */
  onPolling(polls: boolean): void;
}

/**
 * Runs a worker for each queue until stopped. A Temporal server that is lost is waited out.
 * @throws on anything that waiting does not fix.
 */
export async function runWorkers(options: RunWorkersOptions): Promise<void> {
  const { logger, stop, onPolling } = options;
  let troubled = false;
  while (!stop.aborted) {
    try {
      await runOnce(options);
    } catch (error) {
      if (stop.aborted && isStillInUse(error)) {
        logger.warn({ reason: error.message }, 'a worker ended before all that it had in hand; that is taken up again');
        return;
      }
      if (!isConnectionTrouble(error)) throw error;
      if (!troubled) logger.warn({ reason: error.message }, 'Temporal does not answer; trying again until it does');
      troubled = true;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    } finally {
      onPolling(false);
    }
  }
}

/** More is taken than there are slots, so that what waits is of several workspaces and they can take turns. */
const TAKEN_A_SLOT = 4;
const CHECKS_TAKEN = 64;
/** So many windows of cells that those that are nearly played leave no slot free, nor those of one workspace others without. */
const windowsAtOnce = (conversationSlots: number) => TAKEN_A_SLOT * Math.ceil(conversationSlots / CELLS_OF_A_WINDOW);

async function runOnce({
  deps,
  size,
  bundlePath,
  payloadCodec,
  place,
  stop,
  onPolling,
}: RunWorkersOptions): Promise<void> {
  const { connectionOptions, namespace } = temporalConnectConfig(place);
  const connection = await NativeConnection.connect(connectionOptions);
  try {
    const common = {
      connection,
      namespace,
      ...dataConverterOf(payloadCodec),
      shutdownGraceTime: GRACE_MS,
      shutdownForceTime: FORCE_MS,
      stickyQueueScheduleToStartTimeout: STICKY_MS,
      interceptors: { activity: [traceActivity] },
    } satisfies Partial<WorkerOptions>;
    const modelSlots = new Slots(deps.models.slots);
    const workers = [
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.control,
        workflowBundle: { codePath: bundlePath },
        sinks: traceSinks,
        activities: createControlActivities(deps),
        maxConcurrentActivityTaskExecutions: 20,
        maxConcurrentWorkflowTaskExecutions: 40,
        maxCachedWorkflows: size.cachedWorkflows,
        workflowThreadPoolSize: 1,
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.analysis,
        activities: createAnalysisActivities(deps, size.analysisSlots),
        maxConcurrentActivityTaskExecutions: TAKEN_A_SLOT * size.analysisSlots,
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.checks,
        activities: createCheckActivities(deps),
        maxConcurrentActivityTaskExecutions: CHECKS_TAKEN,
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.models,
        activities: createModelActivities(deps, modelSlots),
        maxConcurrentActivityTaskExecutions: TAKEN_A_SLOT * deps.models.slots,
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.conversations,
        activities: createConversationActivities(deps, modelSlots),
        maxConcurrentActivityTaskExecutions: windowsAtOnce(deps.conversationSlots),
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.sound,
        activities: createSoundActivities(deps),
        maxConcurrentActivityTaskExecutions: 1,
      }),
      await Worker.create({
        ...common,
        taskQueue: TASK_QUEUES.deliveries,
        activities: createDeliveryActivities(deps),
        maxConcurrentActivityTaskExecutions: size.deliverySlots,
      }),
    ];
    const end = () => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    stop.addEventListener('abort', end, { once: true });
    const runs = workers.map((worker) => worker.run());
    onPolling(true);
    if (stop.aborted) end();
    const ended = await Promise.allSettled(
      runs.map((run) =>
        run.catch((error: unknown) => {
          end();
          throw error;
        }),
      ),
    );
    stop.removeEventListener('abort', end);
    const [failed] = ended.filter((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  } finally {
    await connection.close().catch(() => {});
  }
}

/** The SDK's word for an activity that outlived the time it had to end: the server gives it to another worker. */
function isStillInUse(error: unknown): error is Error {
  return error instanceof Error && error.name === 'IllegalStateError';
}

/** A refused or broken connection, or a server that is still starting: all of them pass. */
function isConnectionTrouble(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const words = `${error.name} ${error.message}`;
  return /Transport|Unavailable|connect|DeadlineExceeded|deadline|h2 protocol|broken pipe|reset by peer/i.test(words);
}
