import { Slots } from '../src/slots.ts';
import { createLookAtAlarms } from './alarms/look-at-alarms.ts';
import { createAnalyseCalls } from './analyse-calls/analyse-calls.ts';
import { createMetricBackfill, createMetricBackfillRecord } from './backfill-metric/backfill-metric.ts';
import { createBacktest, createBacktestRecord } from './backtest-watch/backtest.ts';
import { createJudgeByModel } from './backtest-watch/judge-by-model.ts';
import { createLookAtPlatform, createNoteConnection } from './check-connection/check-connection.ts';
import { createDeliverOnce } from './deliver-webhook/deliver-webhook.ts';
import type { ActivityDeps } from './deps.ts';
import { createOwnerErasure } from './erase-data/erase-owner.ts';
import { createErasure, createErasureRecord } from './erase-data/erasure.ts';
import { createApplyDueIssues } from './grace-period/apply-due-issues.ts';
import { createHearRecording, createSoundProgress } from './hear-recordings/hear-recording.ts';
import { createCaptureVersions } from './import-calls/capture-versions.ts';
import { createImportAtOnce } from './import-calls/import-at-once.ts';
import { createImportProgress } from './import-calls/import-record.ts';
import { createLookForCalls } from './import-calls/look-for-calls.ts';
import { createRetryFailed } from './import-calls/retry-failed.ts';
import { createStoreCallPage } from './import-calls/store-call-page.ts';
import { createRemoveExpired } from './keep-retention/remove-expired.ts';
import { createModelReading } from './model-reader/model-reading.ts';
import { createModelWording } from './model-reader/model-wording.ts';
import { createBatchReading } from './model-reader/read-batch.ts';
import { createReaderProgress } from './model-reader/reader-record.ts';
import { createPublishDemoVersion } from './next-demo-version/publish-demo-version.ts';
import { createPlayAttempt } from './play-cells/play-attempt.ts';
import { createPlayWindow } from './play-cells/play-window.ts';
import { createRescoreCells } from './play-cells/rescore-cells.ts';
import { createScoreAttempt } from './play-cells/score-attempt.ts';
import { createPollAccount } from './poll-account/poll-account.ts';
import { createPublishDraft, createPublishRecord } from './publish-draft/publish-draft.ts';
import { createReadBrief } from './read-brief/read-brief.ts';
import { createReanalysis } from './reanalyse/reanalysis.ts';
import { createReanalysisProgress } from './reanalyse/reanalysis-record.ts';
import { createRecomputeIssues } from './recompute-issues/recompute-issues.ts';
import { createAgentCopies, createCopyRecord } from './run-tests/agent-copy.ts';
import { createFinishRun } from './run-tests/finish-run.ts';
import { createRunRecord } from './run-tests/run-record.ts';
import { createSettleDueSpans } from './settle-spans/settle-due-spans.ts';
import { withFailures } from './shared/failures.ts';
import { eachInASlot } from './shared/in-a-slot.ts';

/** On the control queue: statements of a few milliseconds, never behind a window of analysis. */
export function createControlActivities(deps: ActivityDeps) {
  const { failBatch } = createBatchReading(deps);
  return withFailures({
    failBatch,
    ...createImportProgress(deps),
    ...createReaderProgress(deps),
    ...createSoundProgress(deps),
    ...createReanalysisProgress(deps),
    ...createMetricBackfillRecord(deps),
    ...createBacktestRecord(deps),
    ...createErasureRecord(deps),
    noteConnection: createNoteConnection(deps),
    ...createReadBrief(deps),
    ...createRunRecord(deps),
    ...createPublishRecord(deps),
    ...createCopyRecord(deps),
  });
}
export type ControlActivities = ReturnType<typeof createControlActivities>;

/**
 * On the analysis queue: what reaches a platform or chews calls.
 * @param slots how much of either goes on at once: platforms, whose addresses people enter, may be slow, and hold up neither
 * the analysis nor what another workspace asks of its own
 */
export function createAnalysisActivities(deps: ActivityDeps, slots = ANALYSIS_SLOTS) {
  const importSteps = {
    captureVersions: createCaptureVersions(deps),
    storeCallPage: createStoreCallPage(deps),
    analyseCalls: createAnalyseCalls(deps),
    regroup: createRecomputeIssues(deps),
  };
  const { captureVersions, storeCallPage, ...chewing } = importSteps;
  return withFailures({
    ...eachInASlot(new Slots(slots), {
      captureVersions,
      storeCallPage,
      importAtOnce: createImportAtOnce(deps, importSteps),
      lookForCalls: createLookForCalls(deps),
      pollAccount: createPollAccount(deps),
      retryFailed: createRetryFailed(deps),
      ...createPublishDraft(deps),
      ...createAgentCopies(deps),
    }),
    ...eachInASlot(new Slots(slots), {
      ...chewing,
      publishDemoVersion: createPublishDemoVersion(deps),
      ...createReanalysis(deps),
      ...createMetricBackfill(deps),
      ...createBacktest(deps),
      ...createErasure(deps),
      ...createOwnerErasure(deps),
      removeExpired: createRemoveExpired(deps),
      applyDueIssues: createApplyDueIssues(deps),
      settleDueSpans: createSettleDueSpans(deps),
      lookAtAlarms: createLookAtAlarms(deps),
      ...createFinishRun(deps),
    }),
  });
}
export type AnalysisActivities = ReturnType<typeof createAnalysisActivities>;

const ANALYSIS_SLOTS = 6;

/**
 * On the queue of checks: looks at addresses that people give, which may never answer. Each takes a minute at most, and
 * those of one workspace leave slots to the others.
 */
export function createCheckActivities(deps: ActivityDeps) {
  const slots = new Slots(CHECKS_AT_ONCE, { mostOfOne: CHECKS_OF_A_WORKSPACE });
  return withFailures(eachInASlot(slots, { lookAtPlatform: createLookAtPlatform(deps) }));
}
export type CheckActivities = ReturnType<typeof createCheckActivities>;

const CHECKS_AT_ONCE = 8;
const CHECKS_OF_A_WORKSPACE = 2;

/** On the queue of models: one question at a time in each slot, whether an activity asks it or a window of them. */
export function createModelActivities(deps: ActivityDeps, slots = new Slots(deps.models.slots)) {
  const { sendBatch, lookAtBatch, takeBatch } = createBatchReading(deps);
  return withFailures({
    sendBatch,
    lookAtBatch,
    takeBatch,
    ...eachInASlot(slots, {
      readCallByModel: createModelReading(deps),
      wordNext: createModelWording(deps),
      scoreAttempt: createScoreAttempt(deps),
      ...createJudgeByModel(deps),
    }),
    rescoreCells: createRescoreCells(deps, slots),
  });
}
export type ModelActivities = ReturnType<typeof createModelActivities>;

/**
 * On the queue of conversations: one simulated call at a time in each slot, whether an activity plays it or a window of them.
 * @param models the slots of the questions that scores ask, which are those of the queue of models in the same process
 */
export function createConversationActivities(deps: ActivityDeps, models = new Slots(deps.models.slots)) {
  const conversations = new Slots(deps.conversationSlots);
  return withFailures({
    ...eachInASlot(conversations, { playAttempt: createPlayAttempt(deps) }),
    playWindow: createPlayWindow(deps, { conversations, models }),
  });
}
export type ConversationActivities = ReturnType<typeof createConversationActivities>;

/** On the queue of sound: recordings, one after the other. */
export function createSoundActivities(deps: ActivityDeps) {
  return withFailures({ hearRecording: createHearRecording(deps) });
}
export type SoundActivities = ReturnType<typeof createSoundActivities>;

/** On the queue of deliveries: one try of a webhook a slot. */
export function createDeliveryActivities(deps: ActivityDeps) {
  return withFailures({ deliverOnce: createDeliverOnce(deps) });
}
export type DeliveryActivities = ReturnType<typeof createDeliveryActivities>;
