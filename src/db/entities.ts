import * as agents from './agents/entities.ts';
import * as alarms from './alarms/entities.ts';
import * as audit from './audit/entities.ts';
import * as calls from './calls/entities.ts';
import * as channels from './channels/entities.ts';
import * as comparisons from './comparisons/entities.ts';
import * as connections from './connections/entities.ts';
import * as copies from './copies/entities.ts';
import * as copilot from './copilot/entities.ts';
import * as customMetrics from './custom-metrics/entities.ts';
import * as drafts from './drafts/entities.ts';
import * as erasures from './erasures/entities.ts';
import * as events from './events/entities.ts';
import * as evidence from './evidence/entities.ts';
import * as goals from './goals/entities.ts';
import * as imports from './imports/entities.ts';
import * as intents from './intents/entities.ts';
import * as issues from './issues/entities.ts';
import * as labels from './labels/entities.ts';
import * as limits from './limits/entities.ts';
import * as metrics from './metrics/entities.ts';
import * as models from './models/entities.ts';
import * as reanalyses from './reanalyses/entities.ts';
import * as runs from './runs/entities.ts';
import * as search from './search/entities.ts';
import * as sound from './sound/entities.ts';
import * as spans from './spans/entities.ts';
import * as system from './system/entities.ts';
import * as tests from './tests/entities.ts';
import * as versions from './versions/entities.ts';
import * as views from './views/entities.ts';
import * as watches from './watches/entities.ts';
import * as webhooks from './webhooks/entities.ts';

/** Every table, for the ORM, the migrations and the check that both agree. */
export const ROWS = [
  system.Workspace,
  system.Person,
  system.Identity,
  system.Membership,
  system.Invitation,
  system.OneTimeLink,
  system.Session,
  system.ApiKey,
  system.IngestToken,
  audit.AuditEntry,
  system.Bucket,
  system.ModelAccount,
  limits.IdempotencyRecord,
  limits.PlanUsage,
  limits.WorkspaceStorage,
  limits.StorageChange,
  connections.PlatformConnection,
  agents.Agent,
  versions.AgentVersion,
  system.HookAddress,
  imports.ToldCall,
  imports.Import,
  imports.ImportFailure,
  imports.UploadedRecord,
  spans.SpanTrace,
  spans.SpanBatch,
  system.OutboxEntry,
  system.ProcessSeen,
  system.InstallationKey,
  system.LeftUsage,
  calls.Call,
  calls.CallerToReview,
  calls.Transcript,
  calls.RawPayload,
  calls.CallAnalysisRecord,
  calls.CallSignal,
  calls.CallCode,
  intents.Intent,
  intents.IntentChange,
  intents.IntentDiscovery,
  issues.Issue,
  evidence.IssueCall,
  evidence.ComputabilityProfile,
  evidence.VisitSet,
  evidence.PlaceRollup,
  evidence.IssueRollup,
  evidence.IssueDay,
  evidence.IssueCause,
  evidence.IssuePair,
  evidence.IssueIntent,
  issues.IssueHistory,
  issues.IssueComment,
  evidence.StepCode,
  metrics.MetricCount,
  metrics.MetricBin,
  metrics.CostBin,
  metrics.FlowCount,
  metrics.FlowStep,
  labels.SignalLabel,
  comparisons.Comparison,
  copilot.CopilotConversation,
  copilot.CopilotMessage,
  copilot.CopilotEvent,
  copilot.CopilotCard,
  events.WorkspaceEvent,
  models.ModelUsage,
  models.ModelReadingRecord,
  sound.CallSound,
  search.CallWords,
  search.CallField,
  models.WorkspaceModel,
  models.ModelReader,
  models.ModelReadingMonth,
  models.ModelBatch,
  models.ModelWording,
  reanalyses.Reanalysis,
  reanalyses.ShadowReading,
  tests.Test,
  tests.TestRevision,
  tests.TestSet,
  tests.Persona,
  runs.Run,
  runs.RunCell,
  runs.Attempt,
  runs.AttemptStep,
  runs.RunDocument,
  runs.BudgetReservation,
  goals.Goal,
  copies.AgentCopy,
  drafts.Draft,
  drafts.DraftRevision,
  drafts.DraftPublication,
  views.SavedView,
  watches.Watch,
  watches.Backtest,
  watches.WatchSample,
  watches.WatchVerdict,
  watches.WatchDay,
  alarms.Alarm,
  alarms.AlarmEvent,
  customMetrics.CustomMetric,
  customMetrics.CustomMetricVersion,
  customMetrics.CustomMetricValue,
  webhooks.Webhook,
  webhooks.WebhookDelivery,
  webhooks.WebhookTry,
  channels.Channel,
  channels.Notice,
  channels.MessageThread,
  channels.MessageSettings,
  erasures.Erasure,
  erasures.ErasedCall,
  erasures.ErasedCaller,
];
