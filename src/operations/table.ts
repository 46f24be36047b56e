import { changePassword } from './access/change-password.ts';
import { createKey } from './access/create-key.ts';
import { getMe } from './access/get-me.ts';
import { acceptInvitation, declineInvitation, listOwnInvitations, takeOverAccount } from './access/invitations.ts';
import { listKeys } from './access/list-keys.ts';
import { listSignInMethods } from './access/list-sign-in-methods.ts';
import { readLink } from './access/read-link.ts';
import { renewSession } from './access/renew-session.ts';
import { revokeKey } from './access/revoke-key.ts';
import { signIn } from './access/sign-in.ts';
import { signOut } from './access/sign-out.ts';
import { useLink } from './access/use-link.ts';
import { getAgentChat, setAgentChat } from './agents/agent-chat.ts';
import { copyDemo } from './agents/copy-demo.ts';
import { createAgent } from './agents/create-agent.ts';
import { deleteAgent } from './agents/delete-agent.ts';
import { getAgent } from './agents/get-agent.ts';
import { getAgentSettings } from './agents/get-agent-settings.ts';
import { listAgents } from './agents/list-agents.ts';
import { previewThresholds } from './agents/preview-thresholds.ts';
import { publishNextDemoVersion } from './agents/publish-next-demo-version.ts';
import { setAgentConfiguration } from './agents/set-agent-configuration.ts';
import { updateAgent } from './agents/update-agent.ts';
import { acknowledgeAlarm, removeAlarm, silenceAlarm } from './alarms/answer-alarm.ts';
import { previewAlarm } from './alarms/preview-alarm.ts';
import { putAlarm } from './alarms/put-alarm.ts';
import { getAlarm, listAlarms } from './alarms/read-alarms.ts';
import { listAudit, listWorkspaceAudit } from './audit/list-audit.ts';
import { approveBrief } from './brief/approve-brief.ts';
import { askAboutBrief } from './brief/ask-about-brief.ts';
import { editBrief } from './brief/edit-brief.ts';
import { getBrief } from './brief/get-brief.ts';
import { readBriefAgain } from './brief/read-brief-again.ts';
import { rejectBrief } from './brief/reject-brief.ts';
import { exportCalls } from './calls/export-calls.ts';
import { getCall } from './calls/get-call.ts';
import { getCallRecording } from './calls/get-call-recording.ts';
import { getCallSignals } from './calls/get-call-signals.ts';
import { getCallSound } from './calls/get-call-sound.ts';
import { listCalls } from './calls/list-calls.ts';
import { setCallTags } from './calls/set-call-tags.ts';
import { agreeToMessages } from './channels/agree-to-messages.ts';
import { changeChannel } from './channels/change-channel.ts';
import { createChannel } from './channels/create-channel.ts';
import { deleteChannel } from './channels/delete-channel.ts';
import { getChannel } from './channels/get-channel.ts';
import { getChannelMessage } from './channels/get-message.ts';
import { listChannels } from './channels/list-channels.ts';
import { listChannelMessages } from './channels/list-messages.ts';
import { getMessageSettings, setMessageSettings } from './channels/message-settings.ts';
import { getNotifications, setNotifications, testNotifications } from './channels/notifications.ts';
import { testChannel } from './channels/test-channel.ts';
import { getComparison } from './comparisons/get-comparison.ts';
import { listComparisons } from './comparisons/list-comparisons.ts';
import { changeConnection } from './connections/change-connection.ts';
import { createConnection } from './connections/create-connection.ts';
import { createIngestToken } from './connections/create-ingest-token.ts';
import { deleteConnection } from './connections/delete-connection.ts';
import { getConnection } from './connections/get-connection.ts';
import { listConnections } from './connections/list-connections.ts';
import { listIngestTokens } from './connections/list-ingest-tokens.ts';
import { revokeIngestToken } from './connections/revoke-ingest-token.ts';
import { askCopilot, followCopilot, stopCopilot } from './copilot/ask-copilot.ts';
import { beginConversation, getConversation, listConversations } from './copilot/conversations.ts';
import { confirmCard, dismissCard } from './copilot/decide-card.ts';
import { getCopilot } from './copilot/get-copilot.ts';
import { getCallCustomMetrics } from './custom-metrics/get-call-custom-metrics.ts';
import { getCustomMetric } from './custom-metrics/get-custom-metric.ts';
import { listCustomMetricCalls } from './custom-metrics/list-custom-metric-calls.ts';
import { listCustomMetrics } from './custom-metrics/list-custom-metrics.ts';
import { putCustomMetric } from './custom-metrics/put-custom-metric.ts';
import { removeCustomMetric } from './custom-metrics/remove-custom-metric.ts';
import { tryCustomMetric } from './custom-metrics/try-custom-metric.ts';
import { changeDraft, discardDraft, rebaseDraft } from './drafts/change-draft.ts';
import { createDraft } from './drafts/create-draft.ts';
import { getAgentText, getDraft } from './drafts/get-draft.ts';
import { listDrafts } from './drafts/list-drafts.ts';
import { publishDraft, rollBackDraft } from './drafts/publish-draft.ts';
import { createErasure } from './erasures/create-erasure.ts';
import { getErasure, getWorkspaceErasure } from './erasures/get-erasure.ts';
import { listErasures, listWorkspaceErasures } from './erasures/list-erasures.ts';
import { watchEvents } from './events/watch-events.ts';
import { approveGoalPlan } from './goals/approve-goal-plan.ts';
import { changeGoal } from './goals/change-goal.ts';
import { closeGoal } from './goals/close-goal.ts';
import { createGoal } from './goals/create-goal.ts';
import { draftGoalTests } from './goals/draft-goal-tests.ts';
import { getGoalPlan } from './goals/get-goal-plan.ts';
import { getGoalProgress } from './goals/get-goal-progress.ts';
import { getGoal, listGoals } from './goals/list-goals.ts';
import { getImport } from './imports/get-import.ts';
import { listImports } from './imports/list-imports.ts';
import { cancelImport, pauseImport, resumeImport, tryImportNow } from './imports/message-import.ts';
import { retryImport } from './imports/retry-import.ts';
import { skipCall } from './imports/skip-call.ts';
import { startImport } from './imports/start-import.ts';
import { previewRecords } from './ingest/preview-records.ts';
import { listIntentHistory } from './intents/list-intent-history.ts';
import { listIntents } from './intents/list-intents.ts';
import { mergeIntent } from './intents/merge-intent.ts';
import { renameIntent } from './intents/rename-intent.ts';
import { changeIssue } from './issues/change-issue.ts';
import { commentOnIssue, listIssueComments } from './issues/comments.ts';
import { getBoard } from './issues/get-board.ts';
import { getIssue } from './issues/get-issue.ts';
import { getIssueAtWork } from './issues/get-issue-at-work.ts';
import { getIssueExplanation } from './issues/get-issue-explanation.ts';
import { listIssueCalls } from './issues/list-issue-calls.ts';
import { listIssueCare } from './issues/list-issue-care.ts';
import { listIssueHistory } from './issues/list-issue-history.ts';
import { listIssues } from './issues/list-issues.ts';
import { setIssueStatus } from './issues/set-issue-status.ts';
import { getFlow } from './metrics/get-flow.ts';
import { getMetrics } from './metrics/get-metrics.ts';
import { metricCalls } from './metrics/metric-calls.ts';
import type { Operation } from './operation.ts';
import { getOwnModel, removeWorkspaceModel, setOwnModel } from './own-model/own-model.ts';
import { listPacks } from './packs/list-packs.ts';
import { makePack } from './packs/make-pack.ts';
import { addMember } from './people/add-member.ts';
import { changeRole } from './people/change-role.ts';
import { getMyself } from './people/get-myself.ts';
import { listMembers } from './people/list-members.ts';
import { makePasswordLink } from './people/make-password-link.ts';
import { removeMember } from './people/remove-member.ts';
import { createPersona, removePersona } from './personas/change-personas.ts';
import { listPersonas } from './personas/list-personas.ts';
import { changePlan } from './plan/change-plan.ts';
import { getPlan } from './plan/get-plan.ts';
import { getModelReading } from './readings/get-model-reading.ts';
import { previewHistory, readHistory } from './readings/read-history.ts';
import { tryModelNow } from './readings/try-model-now.ts';
import { applyReanalysis, discardReanalysis } from './reanalyses/decide-reanalysis.ts';
import { getReanalysis } from './reanalyses/get-reanalysis.ts';
import { listReanalyses } from './reanalyses/list-reanalyses.ts';
import { startReanalysis } from './reanalyses/start-reanalysis.ts';
import { calibrateTests } from './runs/calibrate-tests.ts';
import { approveRun, cancelRun, refuseRun } from './runs/decide.ts';
import { getAttempt } from './runs/get-attempt.ts';
import { getRun } from './runs/get-run.ts';
import { getRunPrice } from './runs/get-run-price.ts';
import { getRunResult } from './runs/get-run-result.ts';
import { listAttempts } from './runs/list-attempts.ts';
import { listCopies } from './runs/list-copies.ts';
import { listRuns } from './runs/list-runs.ts';
import { rescoreRun } from './runs/rescore-run.ts';
import { retryErrors } from './runs/retry-errors.ts';
import { startRun } from './runs/start-run.ts';
import { tryRunNow } from './runs/try-run-now.ts';
import { getCoverage } from './signals/get-coverage.ts';
import { labelSignal, listSignalLabels, removeSignalLabel } from './signals/label-signal.ts';
import { listAgentSignals } from './signals/list-agent-signals.ts';
import { listSignals } from './signals/list-signals.ts';
import { checkInstallation } from './system/check-installation.ts';
import { getAppOpenapi } from './system/get-app-openapi.ts';
import { getOpenapi } from './system/get-openapi.ts';
import { getSystem } from './system/get-system.ts';
import { getWaiting } from './system/get-waiting.ts';
import { changeTestSet, createTestSet, removeTestSet } from './test-sets/change-test-sets.ts';
import { listTestSets } from './test-sets/list-test-sets.ts';
import { changeTest } from './tests/change-test.ts';
import { createTest } from './tests/create-test.ts';
import { generateTests } from './tests/generate-tests.ts';
import { getTest } from './tests/get-test.ts';
import { listTestRevisions } from './tests/list-test-revisions.ts';
import { listTests } from './tests/list-tests.ts';
import { replaceTestSpec } from './tests/replace-test-spec.ts';
import { validateTestSpec } from './tests/validate-test-spec.ts';
import { listVersions } from './versions/list-versions.ts';
import { forgetView, listSavedViews, saveView } from './views/saved-views.ts';
import { backtestWatch, cancelBacktest, pauseBacktest, resumeBacktest } from './watches/backtest-watch.ts';
import { changeWatch } from './watches/change-watch.ts';
import { createWatch, readWatchWords } from './watches/create-watch.ts';
import { pauseWatch, rejectWatch, turnOnWatch } from './watches/decide-watch.ts';
import { getWatch, getWatchResults } from './watches/get-watch.ts';
import { labelWatchSample } from './watches/label-sample.ts';
import { listWatches } from './watches/list-watches.ts';
import { changeWebhook } from './webhooks/change-webhook.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getDelivery } from './webhooks/get-delivery.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { sendAgain, sendAgainSince } from './webhooks/send-again.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';
import { deleteWorkspace } from './workspaces/delete-workspace.ts';
import {
  changeInstallationPlan,
  getInstallationPlan,
  listInstallationWorkspaces,
} from './workspaces/installation-workspaces.ts';
import { getWorkspace, updateWorkspaceSettings } from './workspaces/workspace-settings.ts';

/** Every operation there is. Routes, the OpenAPI document and the permission tests are made from this table and nothing else. */
export const OPERATIONS: readonly Operation[] = [
  getMe,
  getOpenapi,
  listAgents,
  getAgent,
  listIssues,
  getBoard,
  getIssue,
  listIssueCalls,
  getIssueExplanation,
  listCalls,
  getCall,
  getCallSignals,
  getCallRecording,
  getCallSound,
  setCallTags,
  listIntents,
  listVersions,
  listComparisons,
  getComparison,
  getMetrics,
  metricCalls,
  listCustomMetrics,
  getCustomMetric,
  listCustomMetricCalls,
  getCallCustomMetrics,
  tryCustomMetric,
  putCustomMetric,
  removeCustomMetric,
  listAlarms,
  getAlarm,
  previewAlarm,
  putAlarm,
  acknowledgeAlarm,
  silenceAlarm,
  removeAlarm,
  getFlow,
  listSignals,
  getCoverage,
  listTests,
  createTest,
  validateTestSpec,
  getTest,
  replaceTestSpec,
  listTestSets,
  listPersonas,
  listPacks,
  makePack,
  startRun,
  listRuns,
  getRun,
  getRunResult,
  rescoreRun,
  listAttempts,
  getAttempt,
  calibrateTests,
  listWatches,
  getWatch,
  getWatchResults,
  labelWatchSample,
  listGoals,
  getGoal,
  getGoalPlan,
  getGoalProgress,
  approveGoalPlan,
  listCopies,
  listDrafts,
  getDraft,
  getAgentText,
  changeDraft,
  listAudit,

  listSignInMethods,
  signIn,
  renewSession,
  signOut,
  readLink,
  useLink,
  listOwnInvitations,
  acceptInvitation,
  declineInvitation,
  takeOverAccount,
  changePassword,
  getMyself,
  listMembers,
  addMember,
  changeRole,
  removeMember,
  makePasswordLink,
  createWorkspace,
  listInstallationWorkspaces,
  getInstallationPlan,
  changeInstallationPlan,
  getPlan,
  changePlan,
  getOwnModel,
  setOwnModel,
  removeWorkspaceModel,
  listKeys,
  createKey,
  revokeKey,
  createConnection,
  listConnections,
  getConnection,
  changeConnection,
  createIngestToken,
  listIngestTokens,
  revokeIngestToken,
  deleteConnection,
  createAgent,
  getBrief,
  askAboutBrief,
  editBrief,
  readBriefAgain,
  approveBrief,
  rejectBrief,
  copyDemo,
  publishNextDemoVersion,
  updateAgent,
  getAgentSettings,
  getModelReading,
  tryModelNow,
  previewHistory,
  readHistory,
  setAgentConfiguration,
  getAgentChat,
  setAgentChat,
  listSavedViews,
  saveView,
  forgetView,
  startImport,
  previewRecords,
  listImports,
  getImport,
  retryImport,
  pauseImport,
  resumeImport,
  tryImportNow,
  cancelImport,
  skipCall,
  getIssueAtWork,
  listIssueCare,
  changeIssue,
  setIssueStatus,
  listIssueHistory,
  listIssueComments,
  commentOnIssue,
  startReanalysis,
  listReanalyses,
  getReanalysis,
  applyReanalysis,
  discardReanalysis,
  createErasure,
  listErasures,
  getErasure,
  listWorkspaceErasures,
  getWorkspaceErasure,
  deleteAgent,
  deleteWorkspace,
  getWorkspace,
  updateWorkspaceSettings,
  previewThresholds,
  listAgentSignals,
  listSignalLabels,
  labelSignal,
  removeSignalLabel,
  getRunPrice,
  approveRun,
  refuseRun,
  cancelRun,
  retryErrors,
  tryRunNow,
  exportCalls,
  renameIntent,
  mergeIntent,
  listIntentHistory,
  changeTest,
  generateTests,
  listTestRevisions,
  createTestSet,
  changeTestSet,
  removeTestSet,
  createPersona,
  removePersona,
  createWatch,
  readWatchWords,
  changeWatch,
  backtestWatch,
  pauseBacktest,
  resumeBacktest,
  cancelBacktest,
  turnOnWatch,
  pauseWatch,
  rejectWatch,
  createGoal,
  changeGoal,
  draftGoalTests,
  closeGoal,
  createDraft,
  rebaseDraft,
  publishDraft,
  rollBackDraft,
  discardDraft,
  getCopilot,
  beginConversation,
  listConversations,
  getConversation,
  askCopilot,
  followCopilot,
  stopCopilot,
  confirmCard,
  dismissCard,
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listDeliveries,
  getDelivery,
  sendAgain,
  sendAgainSince,
  createChannel,
  listChannels,
  getChannel,
  agreeToMessages,
  changeChannel,
  deleteChannel,
  testChannel,
  listChannelMessages,
  getChannelMessage,
  getNotifications,
  setNotifications,
  testNotifications,
  getMessageSettings,
  setMessageSettings,
  listWorkspaceAudit,
  getSystem,
  getWaiting,
  checkInstallation,
  getAppOpenapi,
  watchEvents,
];

/** @throws Error naming what is wrong: a process with a broken table does not start. */
export function checkTable(operations: readonly Operation[]): void {
  const ids = new Set<string>();
  const routes = new Set<string>();
  for (const operation of operations) {
    const { id, surface, path, scope, pathParams } = operation;
    const route = `${operation.method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
    if (ids.has(id)) throw new Error(`Two operations are named ${id}.`);
    if (routes.has(route)) throw new Error(`Two operations answer ${route}.`);
    if (!path.startsWith(`/${surface}/`)) throw new Error(`${id} is not under /${surface}.`);
    if (surface === 'app' && scope !== 'person' && scope !== 'public')
      throw new Error(`${id} is open to keys under /app.`);
    if (surface === 'v1' && scope === 'public') throw new Error(`${id} is public under /v1.`);
    if (surface === 'v1' && scope !== 'read' && operation.changes && !operation.transaction)
      throw new Error(`${id} is audited, so it needs the transaction that its entry is written in.`);
    const loaded = [...(pathParams.includes('agentId') ? ['agentId'] : []), ...operation.parents.map((p) => p.param)];
    if (loaded.join() !== pathParams.join()) throw new Error(`${id} loads ${loaded.join()} for ${pathParams.join()}.`);
    ids.add(id);
    routes.add(route);
  }
}
