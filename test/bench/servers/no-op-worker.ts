import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** A worker without activities on a bundle that was made before: what any worker of the SDK costs. */
const { TEMPORAL_ADDRESS: address, EARSHOT_WORKFLOW_BUNDLE: codePath = '' } = process.env;
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue: 'bench-no-op',
  workflowBundle: { codePath },
  workflowThreadPoolSize: 1,
});
const running = worker.run();
process.stdout.write('{"ready":true}\n');
await running;
await connection.close();
