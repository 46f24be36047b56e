import { createAnalyseCalls } from './analyse-calls.ts';
import { createApplyDueIssues } from './apply-due-issues.ts';
import { createCaptureVersions } from './capture-versions.ts';
import { createConnectProgress, createLookAtPlatform } from './connect.ts';
import { createDeliverOnce } from './deliver-webhook.ts';
import type { ActivityDeps } from './deps.ts';
import { withFailures } from './failures.ts';
import { createFinishRun } from './finish-run.ts';
import { createImportProgress } from './import-progress.ts';
import { createModelReading } from './model-reading.ts';
import { createModelWording } from './model-wording.ts';
import { createPlayAttempt } from './play-attempt.ts';
import { createPublishDemoVersion } from './publish-demo-version.ts';
import { createReaderProgress } from './reader-progress.ts';
import { createReanalysis } from './reanalysis.ts';
import { createReanalysisProgress } from './reanalysis-progress.ts';
import { createRegroupAgent } from './regroup-agent.ts';
import { createRetryFailed } from './retry-failed.ts';
import { createRunProgress } from './run-progress.ts';
import { createScoreAttempt } from './score-attempt.ts';
import { createStoreCallPage } from './store-call-page.ts';

/** On the control queue: statements of a few milliseconds, never behind a window of analysis. */
export function createControlActivities(deps: ActivityDeps) {
  return withFailures({
    ...createImportProgress(deps),
    ...createReaderProgress(deps),
    ...createReanalysisProgress(deps),
    ...createConnectProgress(deps),
    ...createRunProgress(deps),
  });
}
export type ControlActivities = ReturnType<typeof createControlActivities>;

/** On the analysis queue: what reaches a platform or chews calls. */
export function createAnalysisActivities(deps: ActivityDeps) {
  return withFailures({
    captureVersions: createCaptureVersions(deps),
    lookAtPlatform: createLookAtPlatform(deps),
    publishDemoVersion: createPublishDemoVersion(deps),
    storeCallPage: createStoreCallPage(deps),
    retryFailed: createRetryFailed(deps),
    analyseCalls: createAnalyseCalls(deps),
    regroup: createRegroupAgent(deps),
    ...createReanalysis(deps),
    applyDueIssues: createApplyDueIssues(deps),
    ...createFinishRun(deps),
  });
}
export type AnalysisActivities = ReturnType<typeof createAnalysisActivities>;

/** On the queue of models: one question at a time in each slot. */
export function createModelActivities(deps: ActivityDeps) {
  return withFailures({
    readCallByModel: createModelReading(deps),
    wordNext: createModelWording(deps),
    scoreAttempt: createScoreAttempt(deps),
  });
}
export type ModelActivities = ReturnType<typeof createModelActivities>;

/** On the queue of conversations: one simulated call a slot. */
export function createConversationActivities(deps: ActivityDeps) {
  return withFailures({ playAttempt: createPlayAttempt(deps) });
}
export type ConversationActivities = ReturnType<typeof createConversationActivities>;

/** On the queue of deliveries: one try of a webhook a slot. */
export function createDeliveryActivities(deps: ActivityDeps) {
  return withFailures({ deliverOnce: createDeliverOnce(deps) });
}
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
