import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** A worker for one workflow that runs one activity, which does nothing: the least that durable work takes. */
const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace = 'default' } = process.env;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const workflowsPath = fileURLToPath(new URL('../runs/no-op-workflow.ts', import.meta.url));
const quiet = new DefaultLogger('ERROR');
const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: quiet });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue: 'bench-no-op',
  workflowBundle,
  activities: { doNothing: async () => {} },
  workflowThreadPoolSize: 1,
});
const running = worker.run();
process.stdout.write('{"ready":true}\n');
await running;
await connection.close();
