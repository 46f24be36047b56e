/** What the control worker runs. Names are the ones in `src/temporal`; `agentDesk` is an earlier one. */
export { agentCoordinator, agentCoordinator as agentDesk } from './agent-coordinator/agent-coordinator.ts';
export { backtestWatch } from './backtest-watch/backtest-watch.ts';
export { checkConnection } from './check-connection/check-connection.ts';
export { deliverWebhook } from './deliver-webhook/deliver-webhook.ts';
export { eraseData } from './erase-data/erase-data.ts';
export { graceOfAgent } from './grace-period/grace-period.ts';
export { importCalls } from './import-calls/import-calls.ts';
export { keepRetention } from './keep-retention/keep-retention.ts';
export { modelReader } from './model-reader/model-reader.ts';
export { nextDemoVersion } from './next-demo-version/next-demo-version.ts';
export { playCells } from './play-cells/play-cells.ts';
export { publishDraft } from './publish-draft/publish-draft.ts';
export { readBrief } from './read-brief/read-brief.ts';
export { reanalyse } from './reanalyse/reanalyse.ts';
export { removeCopy } from './remove-copy/remove-copy.ts';
export { rescoreRun } from './rescore-run/rescore-run.ts';
export { runTests } from './run-tests/run-tests.ts';
export { settleSpans } from './settle-spans/settle-spans.ts';
