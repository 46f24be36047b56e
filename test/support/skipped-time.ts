import { msToNumber } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { searchAttributeTypes } from '../../src/temporal/register-search-attributes.ts';
import { TASK_QUEUES, type TaskQueue } from '../../src/temporal/task-queues.ts';
import { quietRuntime, testBundle } from './pipeline.ts';

/**
 * Skipped in one go: a request that takes a minute is taken for one that is lost, as the server refuses the pings of its
 * client, and the sleep would begin anew.
 */
const PIECE_MS = 3_600_000;

type Activities = NonNullable<WorkerOptions['activities']>;

export interface SkippedTime {
  env: TestWorkflowEnvironment;
  close(): Promise<void>;
}

/**
 * A server whose time is skipped while nothing happens, with the product's workflows and the test's own activities.
 * @param server the program. @param activities by queue, told of the environment, whose clock they may ask.
 */
export async function openSkippedTime(
  server: string | null,
  activities: (env: TestWorkflowEnvironment) => Partial<Record<TaskQueue, Activities>>,
): Promise<SkippedTime> {
  quietRuntime();
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: server ?? '' } },
  });
  const sleep = env.sleep.bind(env);
  env.sleep = async (duration) => {
    for (let leftMs = msToNumber(duration); leftMs > 0; leftMs -= PIECE_MS) await sleep(Math.min(leftMs, PIECE_MS));
  };
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: searchAttributeTypes(),
  });
  const common = { connection: env.nativeConnection, namespace: 'default' };
  const { [TASK_QUEUES.control]: control, ...others } = activities(env);
  const workers = [
    await Worker.create({
      ...common,
      taskQueue: TASK_QUEUES.control,
      workflowBundle: { codePath: await testBundle() },
      ...(control ? { activities: control } : {}),
    }),
  ];
  for (const [taskQueue, of] of Object.entries(others)) {
    workers.push(await Worker.create({ ...common, taskQueue, activities: of }));
  }
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    env,
    async close() {
      for (const worker of workers) worker.shutdown();
      await running;
      await env.teardown();
    },
  };
}
