import { keysOf } from '../../domain/keys-of.ts';
import type { Tables } from '../tables.ts';

/**
 * What each table keeps of calls, and what becomes of it when they are erased. A new table does not compile before it is
 * answered for here, and `test/db/erasures` searches all of them.
 */
export type CallData =
  /** Rows of one call, named by its id in `call_id`: deleted. */
  | 'rows'
  /** Counts, kept by difference: what the call added is taken away. */
  | 'sums'
  /** Words or names of calls among other things: the function beside it sees to them. */
  | { erasedBy: string }
  /** Nothing that a call said or that names who called. */
  | { none: string };

const SETTINGS = { none: 'What people set.' } as const;
const PEOPLE = { none: 'Who may sign in, and how.' } as const;
const IDS = { none: 'Ids, kinds and times.' } as const;
const COUNTS = { none: 'Counts and money, which no call is told from.' } as const;

export const CALL_DATA: Record<keyof Tables, CallData> = {
  workspaces: SETTINGS,
  people: PEOPLE,
  identities: PEOPLE,
  memberships: PEOPLE,
  one_time_links: PEOPLE,
  invitations: PEOPLE,
  sessions: PEOPLE,
  api_keys: PEOPLE,
  audit_entries: { none: 'Ids, and digests of arguments that leave out who called.' },
  buckets: COUNTS,
  idempotency_records: { erasedBy: 'forgetAnswers' },
  plan_usage: COUNTS,
  platform_connections: SETTINGS,
  agents: { none: 'Settings, and counts that follow the calls.' },
  agent_versions: { none: 'The configuration of the agent.' },
  ingest_tokens: SETTINGS,
  hook_addresses: SETTINGS,
  announced_calls: { erasedBy: 'eraseRecords' },
  imports: { none: 'Counts and reasons without words of calls.' },
  import_failures: { erasedBy: 'eraseRecords and eraseSealed' },
  uploaded_records: { erasedBy: 'eraseSealed, and the end of the import' },
  outbox_entries: IDS,
  installation_keys: { none: 'A sealed key.' },
  left_usage: COUNTS,
  workspace_storage: COUNTS,
  storage_changes: COUNTS,
  processes_seen: { none: 'Processes of the installation.' },
  span_traces: { erasedBy: 'eraseRecords' },
  span_batches: { erasedBy: 'eraseRecords' },
  calls: { erasedBy: 'eraseCalls' },
  callers_to_review: { erasedBy: 'eraseCalls' },
  transcripts: 'rows',
  raw_payloads: 'rows',
  call_analyses: 'rows',
  call_signals: 'rows',
  call_codes: 'rows',
  intents: { erasedBy: 'dropEmptyIntents and forgetTerms' },
  intent_changes: { erasedBy: 'dropEmptyIntents' },
  intent_discoveries: COUNTS,
  /** What the grouping says of the agent's places and causes, in words of its own: no quote. */
  issues: { erasedBy: 'dropUnused' },
  issue_calls: { erasedBy: 'eraseCalls' },
  computability_profiles: { erasedBy: 'dropUnused' },
  visit_sets: { erasedBy: 'dropUnused' },
  place_rollups: 'sums',
  issue_rollups: 'sums',
  issue_days: 'sums',
  issue_causes: 'sums',
  issue_pairs: 'sums',
  issue_intents: 'sums',
  issue_history: { none: 'Statuses with the reasons of people.' },
  issue_comments: { none: 'What people wrote to each other.' },
  step_codes: 'sums',
  metric_counts: 'sums',
  metric_bins: 'sums',
  cost_bins: 'sums',
  flow_counts: 'sums',
  flow_steps: { erasedBy: 'dropUnused' },
  signal_labels: 'rows',
  comparisons: { none: 'Sums of versions, made again after an erasure.' },
  workspace_events: IDS,
  model_usage: COUNTS,
  model_readings: 'rows',
  call_sounds: 'rows',
  call_words: 'rows',
  call_fields: 'rows',
  workspace_models: SETTINGS,
  model_readers: { none: 'Why reading pauses, in words of our own.' },
  model_reading_months: COUNTS,
  model_batches: IDS,
  model_accounts: COUNTS,
  model_wordings: { erasedBy: 'eraseCalls' },
  reanalyses: { none: 'Counts, and ids of calls.' },
  shadow_readings: 'rows',
  tests: { erasedBy: 'eraseTests' },
  test_revisions: { erasedBy: 'eraseTests' },
  test_sets: { erasedBy: 'eraseTests' },
  personas: SETTINGS,
  runs: { none: 'Figures, and messages of our own.' },
  run_cells: { erasedBy: 'eraseTests' },
  attempts: { erasedBy: 'eraseTests' },
  attempt_steps: { erasedBy: 'eraseTests' },
  run_documents: { erasedBy: 'eraseTests' },
  budget_reservations: COUNTS,
  goals: { erasedBy: 'eraseTests' },
  drafts: { erasedBy: 'eraseTests' },
  draft_publications: { none: 'What the platform was told of a text, and how it ended.' },
  agent_copies: { none: 'What the platform was asked to copy of an agent.' },
  draft_revisions: { none: 'Texts of the agent as people change them.' },
  copilot_conversations: { erasedBy: 'eraseConversations' },
  copilot_messages: { erasedBy: 'eraseConversations' },
  copilot_events: { erasedBy: 'eraseConversations' },
  copilot_cards: { erasedBy: 'eraseConversations' },
  saved_views: SETTINGS,
  watches: { none: 'What people expect of the agent.' },
  backtests: COUNTS,
  watch_samples: 'rows',
  watch_verdicts: { erasedBy: 'eraseCalls' },
  watch_days: 'sums',
  alarms: { none: 'What people set, and figures over many calls.' },
  alarm_events: { none: 'Figures over many calls, and what people did.' },
  custom_metrics: SETTINGS,
  custom_metric_versions: SETTINGS,
  custom_metric_values: 'rows',
  webhooks: SETTINGS,
  webhook_deliveries: { erasedBy: 'eraseTests and forgetMessages' },
  channels: SETTINGS,
  message_settings: SETTINGS,
  message_threads: IDS,
  notices: { none: 'Facts of issues, runs and watches; the quote is looked up when a message is written.' },
  webhook_tries: { none: 'Statuses and durations.' },
  erasures: { none: 'Ids, counts, and a number that is sealed until the end.' },
  erased_calls: { none: 'Keyed hashes.' },
  erased_callers: { none: 'Keyed hashes.' },
};

/** Tables whose rows of a call are simply deleted. */
export const ROWS_OF_CALLS = keysOf(CALL_DATA).filter((table) => CALL_DATA[table] === 'rows');
