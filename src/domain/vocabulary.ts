/** The closed sets of the contract and of the analysis. Everything that validates or switches reads them from here. */

export const OUTCOMES = ['resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Characters of a line by which calls are filtered. */
export const FILTER_AT_MOST = 1_000;

export const DIRECTIONS = ['inbound', 'outbound', 'web'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const CHANNELS = ['voice', 'text', 'unknown'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Ends what is noted where no brief could be read, and a person has to decide without one. */
export const DECIDE_WITHOUT_BRIEF = 'Write the brief by hand, or approve it as it is.';

export const TURN_ROLES = ['caller', 'agent', 'tool', 'other'] as const;
export type TurnRole = (typeof TURN_ROLES)[number];

/** The two sides of a talk. */
export const SIDES = ['caller', 'agent'] as const;
export type Side = (typeof SIDES)[number];

export const CALLER_KINDS = ['new', 'repeat', 'unknown'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

export const LANES = ['hearing', 'understanding', 'flow', 'speaking', 'integrations'] as const;
export type Lane = (typeof LANES)[number];

export const ISSUE_CLASSES = ['technical', 'flow', 'content', 'behaviour'] as const;
export type IssueClass = (typeof ISSUE_CLASSES)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ISSUE_STATUSES = [
  'discovered',
  'investigating',
  'fix_deployed',
  'measuring',
  'resolved',
  'regressed',
] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const ISSUE_SOURCES = ['detector', 'outcome'] as const;
export type IssueSource = (typeof ISSUE_SOURCES)[number];

export const SECTIONS = ['fix', 'improve', 'not_established', 'hidden'] as const;
export type Section = (typeof SECTIONS)[number];

export const IMPACTS = ['low', 'medium', 'high'] as const;
export type Impact = (typeof IMPACTS)[number];

export const PLACE_KINDS = ['tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

export const FIX_STATES = ['no_change', 'waiting_for_calls', 'regressed', 'measuring', 'fell', 'held'] as const;
export type FixState = (typeof FIX_STATES)[number];

export const OBSERVATION_KINDS = ['conformance', 'candidate', 'blocked_step', 'hypothesis'] as const;
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export const CLAIM_VERDICTS = ['backed', 'unbacked', 'contradicted', 'after_failure'] as const;
export type ClaimVerdict = (typeof CLAIM_VERDICTS)[number];

/** Who was on the far side of a call. `agent`: another voice agent; `nobody`: it could have been heard, and nothing was. */
export const ANSWERED_BY = [
  'person',
  'voicemail',
  'phone_menu',
  'screening',
  'agent',
  'hold',
  'nobody',
  'unknown',
] as const;
export type AnsweredByValue = (typeof ANSWERED_BY)[number];

/** What became of a tool: `refused` is a business that said no, `unknown` an answer that says neither. */
export const TOOL_VERDICTS = ['ok', 'refused', 'failed', 'unknown'] as const;
export type ToolVerdict = (typeof TOOL_VERDICTS)[number];

/** exact: spoken times; approx: whole seconds or interpolated, so that timing codes are not computable; none: no times. */
export const TIMINGS = ['exact', 'approx', 'none'] as const;
export type Timing = (typeof TIMINGS)[number];

/** Pages of an agent that are narrowed by filters in their address. */
export const FILTERED_PAGES = ['issues', 'calls', 'metrics', 'flow', 'watches', 'audit'] as const;
export type FilteredPage = (typeof FILTERED_PAGES)[number];

export const PLATFORMS = ['retell', 'vapi', 'elevenlabs', 'livekit', 'pipecat', 'otel', 'file', 'demo'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Platforms that may keep the recording of a call, to be played from there. */
export const RECORDING_PLATFORMS: readonly Platform[] = ['retell', 'vapi', 'elevenlabs', 'demo'];

/** Those of which nothing is asked: their agents, or people, send the calls. */
export const SENDING_PLATFORMS = ['livekit', 'pipecat', 'otel', 'file'] as const satisfies readonly Platform[];
export type SendingPlatform = (typeof SENDING_PLATFORMS)[number];
export const sendsCalls = (platform: Platform): platform is SendingPlatform =>
  SENDING_PLATFORMS.some((name) => name === platform);

/** What is known of a platform's key. */
export const CONNECTION_STATUSES = ['checking', 'ok', 'refused'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export const SETUP_STATUSES = ['pending', 'approved', 'rejected'] as const;
export type SetupStatus = (typeof SETUP_STATUSES)[number];

export const ONBOARDING_STEPS = ['connect', 'brief', 'importing', 'done'] as const;
export type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** A person's word on one signal, or on one flagged sample of a watch. */
export const SIGNAL_LABELS = ['right', 'wrong'] as const;
export type SignalLabel = (typeof SIGNAL_LABELS)[number];

/** Where one imported record stands between the platform and the list of calls. */
export const CALL_STATES = ['waiting', 'analysed', 'failed'] as const;
export type CallState = (typeof CALL_STATES)[number];

export const IMPORT_KINDS = ['first', 'manual', 'poll', 'file', 'ingest', 'retry'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_STATUSES = ['queued', 'running', 'paused', 'complete', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** `failed`: it was never asked, or nobody can say what became of it. */
export const MODEL_BATCH_STATES = ['open', 'ended', 'failed'] as const;

/**
 * How far a model's reading of a call is: to be asked, answered, laid beside the rules' reading, given
 * up, or outside of the share of calls that is read.
 */
export const MODEL_READING_STATES = ['waiting', 'read', 'done', 'dropped', 'left'] as const;
export type ModelReadingState = (typeof MODEL_READING_STATES)[number];

/** Which calls of an agent a model reads: all, or those that rules or an unsure ending point at with a part of the rest. */
/** Personal data that can be left out of what is stored of calls. */
export const REDACTED_KINDS = ['card', 'email', 'phone', 'iban', 'national_number', 'address', 'name'] as const;
export type RedactedKind = (typeof REDACTED_KINDS)[number];

export const MODEL_SHARES = ['all', 'suspected'] as const;
export type ModelShare = (typeof MODEL_SHARES)[number];

/** Why the reading of an agent's calls by a model pauses: what the model answers, or that it does not answer. */
export const MODEL_PROTOCOLS = ['openai', 'anthropic'] as const;
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number];

export const READER_TROUBLES = ['unusable', 'away', 'key', 'money', 'model'] as const;
export type ReaderTrouble = (typeof READER_TROUBLES)[number];

/** `none`: the platform has no recording of the call; `away`: it could not be fetched, and is tried again. */
export const SOUND_STATES = ['heard', 'none', 'unreadable', 'away'] as const;
export type SoundState = (typeof SOUND_STATES)[number];

/** What a model's reading may do on an agent's calls: nothing, add evidence, or decide within bounds that code holds. */
export const MODEL_READING_MODES = ['off', 'assist', 'decide'] as const;
export type ModelReadingMode = (typeof MODEL_READING_MODES)[number];

/** What a signal stands on. */
export const SIGNAL_BASES = ['rules', 'model'] as const;
export type SignalBasis = (typeof SIGNAL_BASES)[number];

/** Where a quote of a proof stands: a turn's words, the agent's own text, or a call or result of a tool. */
export const PROOF_SOURCES = ['turn', 'prompt', 'tool'] as const;
export type ProofSource = (typeof PROOF_SOURCES)[number];

export const MODEL_WORDING_KINDS = ['intent', 'recommendation'] as const;
export type ModelWordingKind = (typeof MODEL_WORDING_KINDS)[number];

export const REANALYSIS_STATUSES = [
  'queued',
  'reading',
  'reported',
  'applying',
  'applied',
  'discarded',
  'failed',
] as const;
export type ReanalysisStatus = (typeof REANALYSIS_STATUSES)[number];

/** What a workspace's stream of events tells of. */
export const WORKSPACE_EVENT_KINDS = [
  'import.progress',
  'import.finished',
  'issues.changed',
  'issue.opened',
  'issue.changed',
  'issue.resolved',
  'issue.regressed',
  'issue.spiked',
  'version.new',
  'webhook.off',
  'run.changed',
  'watch.changed',
  'watch.backtest',
  'watch.failing',
  'alarm.changed',
  'goal.changed',
  'draft.changed',
  'channel.off',
] as const;
export type WorkspaceEventKind = (typeof WORKSPACE_EVENT_KINDS)[number];

export const KEY_ACCESSES = ['read', 'write'] as const;
export type KeyAccess = (typeof KEY_ACCESSES)[number];

/** What a person may do in a workspace, each with what the one before may: read, work, approve runs over their budget, and administer. */
export const ROLES = ['viewer', 'member', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const PLANS = ['free_org', 'starter', 'growth', 'scale', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

/** Where a test comes from: a production call, a person or a client, or what was found (issues, intents, lines of the brief). */
export const TEST_SOURCES = ['production', 'written', 'generated'] as const;
export type TestSource = (typeof TEST_SOURCES)[number];

export const TEST_EXPECTATIONS = ['pass', 'fail'] as const;
export type TestExpectation = (typeof TEST_EXPECTATIONS)[number];

export const RUN_STATUSES = ['queued', 'awaiting_approval', 'running', 'complete', 'refused', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Begins the message of a run whose calls wait for the platform. */
export const RUN_WAITS = 'Waits for the platform';

export const RUN_KINDS = ['run', 'calibration'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_TRIGGERS = ['manual', 'auto', 'ci'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const ATTEMPT_RESULTS = ['passed', 'failed', 'error', 'drift'] as const;
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number];

export const CELL_RESULTS = ['passed', 'failed', 'flaky', 'error', 'drift', 'not_run'] as const;
export type CellResult = (typeof CELL_RESULTS)[number];

export const CELL_CHANGES = ['fixed', 'newly_broken', 'unchanged'] as const;
export type CellChange = (typeof CELL_CHANGES)[number];

/** Who decided a criterion. */
export const DECIDERS = ['judge', 'check', 'undecided'] as const;
export type Decider = (typeof DECIDERS)[number];

/** What a person decides about a run; the first decision stands. */
export const RUN_DECISIONS = ['approved', 'refused', 'cancelled'] as const;
export type RunDecision = (typeof RUN_DECISIONS)[number];

/** What people can be told of at their channels. */
export const MESSAGE_EVENTS = [
  'issue.opened',
  'issue.regressed',
  'issue.resolved',
  'issue.spiked',
  'issue.assigned',
  'issue.commented',
  'run.awaiting_approval',
  'run.refused',
  'watch.failing',
  'watch.recovered',
  'alarm.raised',
  'alarm.continues',
  'alarm.recovered',
  'import.stuck',
  'version.untested',
] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];

/** Those that open or close a problem, of which services that call people are told. */
export const PAGED_EVENTS = [
  'issue.opened',
  'issue.regressed',
  'issue.spiked',
  'issue.resolved',
  'watch.failing',
  'watch.recovered',
  'alarm.raised',
  'alarm.continues',
  'alarm.recovered',
] as const satisfies readonly MessageEvent[];
export type PagedEvent = (typeof PAGED_EVENTS)[number];

/** What webhooks can be told of. */
export const WEBHOOK_EVENTS = [
  'run.completed',
  'version.new',
  'webhook.off',
  'channel.off',
  ...MESSAGE_EVENTS,
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a delivery is made for: one event, several that a channel is told of together, or a person who tries a channel. */
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, 'digest', 'test'] as const;
export type DeliveryEvent = (typeof DELIVERY_EVENTS)[number];

/** Where messages for people go. */
export const CHANNEL_KINDS = ['slack', 'email', 'pagerduty', 'opsgenie'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** What an address that is told of events is. */
export const ENDPOINT_KINDS = ['webhook', ...CHANNEL_KINDS] as const;
export type EndpointKind = (typeof ENDPOINT_KINDS)[number];

/** How often a channel is told: of each event at once, or of all together at an hour. */
export const DIGESTS = ['immediate', 'daily', 'weekly'] as const;

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Who acts: of the audit log. */
export const PRINCIPAL_KINDS = ['person', 'key', 'copilot'] as const;

/** `dropped`: its address was deleted before it got through, which is no failure. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const WATCH_STATES = ['draft', 'backtesting', 'review', 'live', 'paused', 'rejected'] as const;
export type WatchState = (typeof WATCH_STATES)[number];

/** Flagged samples of a watch that people have to label before it goes live, and the share of them that has to be right. */
export const LABELS_NEEDED = 10;
export const PRECISION_NEEDED = 0.8;

export const WATCH_ORIGINS = ['generated', 'person'] as const;

export const GOAL_ORIGINS = ['copilot', 'mcp', 'api'] as const;
export type GoalOrigin = (typeof GOAL_ORIGINS)[number];

export const GOAL_STATUSES = ['open', 'closed'] as const;
export type GoalStatus = (typeof GOAL_STATUSES)[number];

export const WATCH_SCOPES = [
  'all_calls',
  'tool_called',
  'tool_failed',
  'step_reached',
  'intent',
  'outcome',
  'caller_said',
] as const;

/** Figures of a call that a watch can bound; times in seconds. */
export const WATCH_MEASURES = [
  'response_s',
  'mean_response_s',
  'silence_s',
  'interruptions',
  'duration_s',
  'cost_usd',
  'turns',
] as const;
export type WatchMeasure = (typeof WATCH_MEASURES)[number];

export const POLARITIES = ['must', 'must_not'] as const;
export type Polarity = (typeof POLARITIES)[number];

/** How a metric that people define comes by its value. */
export const CUSTOM_METRIC_KINDS = ['formula', 'pattern', 'judged'] as const;
export type CustomMetricKind = (typeof CUSTOM_METRIC_KINDS)[number];

/** What the value of such a metric is. */
export const METRIC_ANSWERS = ['yes_no', 'number', 'label', 'text'] as const;
export type MetricAnswer = (typeof METRIC_ANSWERS)[number];

/** What such a metric says of a call: a call that it is not about is no call that it could not be told of. */
export const METRIC_STATES = ['value', 'not_applicable', 'unknown'] as const;
export type MetricState = (typeof METRIC_STATES)[number];

/** Computing such a metric on the calls that were there before it. */
export const BACKFILL_STATES = ['queued', 'running', 'complete', 'failed'] as const;
export type BackfillState = (typeof BACKFILL_STATES)[number];

/** Which values are good; of yes or no, yes is the higher one. */
export const METRIC_DIRECTIONS = ['higher', 'lower', 'neither'] as const;
export type MetricDirection = (typeof METRIC_DIRECTIONS)[number];

/** What an alarm is about. `metric` is a figure of the board, `custom_metric` one that people define. */
export const ALARM_MEASURES = ['calls', 'cost', 'cost_per_call', 'metric', 'signal', 'custom_metric'] as const;
/** What its figure is held against: a number, or the same hours of the weeks before. */
export const ALARM_COMPARISONS = ['limit', 'usual'] as const;
export const ALARM_SIDES = ['above', 'below'] as const;
export const ALARM_WINDOWS = ['15m', '1h', '4h', '1d', '7d'] as const;
export type AlarmWindow = (typeof ALARM_WINDOWS)[number];
export const ALARM_LEVELS = ['ok', 'warning', 'critical'] as const;
export type AlarmLevel = (typeof ALARM_LEVELS)[number];
/** What an alarm shows: its level, or that its newest window does not say. */
export const ALARM_STATES = [...ALARM_LEVELS, 'no_data'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];
/** What a window that does not say counts as: nothing, so that the level stays, or a level. */
export const ALARM_NO_DATA = ['keep', ...ALARM_LEVELS] as const;
export type AlarmNoData = (typeof ALARM_NO_DATA)[number];
/** What stands in the history of an alarm beside its changes of state. */
export const ALARM_ACTS = ['raised', 'continues', 'recovered', 'acknowledged', 'silenced', 'unsilenced'] as const;
export type AlarmAct = (typeof ALARM_ACTS)[number];

export const BACKTEST_STATUSES = ['queued', 'running', 'paused', 'complete', 'cancelled', 'failed'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];

/** Flagged: the expectation did not hold. Cleared: it did. */
/** Of a transcript that is read by pages. */
export const TURNS_A_PAGE = 200;

export const SAMPLE_KINDS = ['flagged', 'cleared'] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

/** `testing` is a draft of whose exact text a run is under way: it is read from the runs, never stored. */
export const DRAFT_STATUSES = ['draft', 'testing', 'publishing', 'published', 'discarded'] as const;
export type DraftStatus = (typeof DRAFT_STATUSES)[number];

export const PUBLICATION_KINDS = ['publish', 'rollback'] as const;
export type PublicationKind = (typeof PUBLICATION_KINDS)[number];

/** Until `writing` nothing has reached the platform; `undoing` writes back what was there before. */
export const PUBLICATION_STATES = ['begun', 'writing', 'undoing', 'done', 'failed'] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** A copy of an agent at its platform: it is played while it is `ready`, and kept on the list until it is `removed`. */
export const COPY_STATES = ['making', 'ready', 'removing', 'removed'] as const;
export type CopyState = (typeof COPY_STATES)[number];

/** Whether the whole suite has to have run on the text of a draft, or has to have passed. */
export const GATE_MODES = ['ran', 'passed'] as const;
export type GateMode = (typeof GATE_MODES)[number];

/** Why the gate of a draft is shut. */
export const GATE_REASONS = ['no_tests', 'no_suite_run', 'suite_running', 'suite_incomplete', 'suite_failed'] as const;
export type GateReason = (typeof GATE_REASONS)[number];

export const COPILOT_MESSAGE_ROLES = ['person', 'copilot'] as const;

/** A question is `done` from the start. */
export const COPILOT_MESSAGE_STATES = ['answering', 'done', 'stopped', 'failed'] as const;
export type CopilotMessageState = (typeof COPILOT_MESSAGE_STATES)[number];

/** What an answer is told in while it is made; `done` and `error` are the last. */
export const COPILOT_EVENT_KINDS = ['begin', 'text', 'read', 'citation', 'card', 'done', 'error'] as const;
export type CopilotEventKind = (typeof COPILOT_EVENT_KINDS)[number];

export const CITATION_KINDS = ['call', 'issue', 'test', 'watch', 'run'] as const;
export type CitationKind = (typeof CITATION_KINDS)[number];

export const CARD_STATES = ['proposed', 'confirming', 'confirmed', 'dismissed'] as const;

/** What an erasure takes away. */
export const ERASURE_SCOPES = ['calls', 'caller', 'agent', 'workspace'] as const;
export type ErasureScope = (typeof ERASURE_SCOPES)[number];

export const ERASURE_STATUSES = ['queued', 'running', 'complete', 'failed'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];
