import * as access from './access.ts';
import * as agents from './agents.ts';
import * as calls from './calls.ts';
import * as comparisons from './comparisons.ts';
import * as events from './events.ts';
import * as hooks from './hooks.ts';
import * as imports from './imports.ts';
import * as intents from './intents.ts';
import * as issues from './issues.ts';
import * as limits from './limits.ts';
import * as metrics from './metrics.ts';
import * as models from './models.ts';
import * as outcomes from './outcomes.ts';
import * as reanalyses from './reanalyses.ts';
import * as runs from './runs.ts';
import * as tests from './tests.ts';
import * as webhooks from './webhooks.ts';
import * as wordings from './wordings.ts';

/** Every table, for the ORM, the migrations and the check that both agree. */
export const ROWS = [
  access.Workspace,
  access.Person,
  access.Membership,
  access.OneTimeLink,
  access.Session,
  access.ApiKey,
  access.AuditEntry,
  limits.Bucket,
  limits.IdempotencyRecord,
  limits.PlanUsage,
  agents.PlatformConnection,
  agents.Agent,
  agents.AgentVersion,
  hooks.HookAddress,
  hooks.ToldCall,
  imports.Import,
  imports.ImportFailure,
  imports.UploadedRecord,
  imports.StartOrder,
  imports.ProcessSeen,
  calls.Call,
  calls.CallerToReview,
  calls.Transcript,
  calls.RawPayload,
  calls.CallAnalysisRecord,
  calls.CallSignal,
  calls.CallCode,
  calls.Intent,
  intents.IntentChange,
  intents.IntentDiscovery,
  issues.Issue,
  issues.IssueCall,
  issues.ComputabilityProfile,
  issues.VisitSet,
  issues.PlaceRollup,
  issues.IssueRollup,
  issues.IssueDay,
  issues.IssueCause,
  issues.IssuePair,
  issues.IssueIntent,
  issues.IssueHistory,
  issues.IssueComment,
  outcomes.StepCode,
  metrics.MetricCount,
  metrics.MetricBin,
  metrics.CostBin,
  metrics.FlowCount,
  metrics.FlowStep,
  outcomes.SignalLabel,
  comparisons.Comparison,
  events.WorkspaceEvent,
  models.ModelUsage,
  models.ModelReadingRecord,
  wordings.ModelWording,
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
  webhooks.Webhook,
  webhooks.WebhookDelivery,
  webhooks.WebhookTry,
];
