/** What the control worker runs. Names are the ones in `src/durable`. */
export { agentDesk } from './agent-desk.ts';
export { checkConnection, readBrief } from './connect.ts';
export { deliverWebhook } from './deliver-webhook.ts';
export { nextDemoVersion } from './demo-version.ts';
export { graceOfAgent } from './grace.ts';
export { importCalls } from './import-calls.ts';
export { modelReader } from './model-reader.ts';
export { playCells } from './play-cells.ts';
export { reanalyse } from './reanalyse.ts';
export { rescoreRun } from './rescore-run.ts';
export { runTests } from './run-tests.ts';
