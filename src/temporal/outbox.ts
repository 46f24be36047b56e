import { ACCOUNT_POLLER, type PollerInput } from './account-poller.ts';
import { AGENT_COORDINATOR, AGENT_COORDINATOR_BEFORE, type CoordinatorInput } from './agent-coordinator.ts';
import { ALARMS, type AlarmsInput } from './alarms.ts';
import { BACKFILL_METRIC, type MetricBackfillInput } from './backfill-metric.ts';
import { BACKTEST_WATCH, type BacktestInput } from './backtest-watch.ts';
import { CHECK_CONNECTION, type ConnectionCheckInput } from './check-connection.ts';
import { DELIVER_WEBHOOK, type DeliveryInput } from './deliver-webhook.ts';
import { ERASE_DATA, type ErasureInput } from './erase-data.ts';
import { GRACE, type GraceInput } from './grace-period.ts';
import { IMPORT_CALLS, type ImportInput } from './import-calls.ts';
import { KEEP_RETENTION, type RetentionInput } from './keep-retention.ts';
import { MODEL_READER, type ReaderInput } from './model-reader.ts';
import { NEXT_DEMO_VERSION, type NextDemoVersionInput } from './next-demo-version.ts';
import type { WorkflowEntry } from './outbox-entry.ts';
import { PUBLISH_DRAFT, type PublishInput } from './publish-draft.ts';
import { type BatchInput, READ_BATCH } from './read-batch.ts';
import { type BriefReadInput, READ_BRIEF } from './read-brief.ts';
import { REANALYSE, type ReanalysisInput } from './reanalyse.ts';
import { REMOVE_COPY, type RemoveCopyInput } from './remove-copy.ts';
import { RESCORE_RUN, type RescoreInput, RUN_TESTS, type RunInput } from './run-tests.ts';
import { SETTLE_SPANS, type SettleInput } from './settle-spans.ts';
import { SOUND_READER, type SoundReaderInput } from './sound-reader.ts';
import { type TraceCarrier, traceOf, withTrace } from './trace-carrier.ts';

/**
 * What a transaction asks of Temporal once it is committed. It stands in the outbox (`outbox_entries`), written beside the
 * row that it serves; the relay sends it at once, and by the clock where a crash came between.
 */
export type OutboxEntry =
  | WorkflowEntry<typeof ACCOUNT_POLLER, PollerInput>
  | WorkflowEntry<typeof AGENT_COORDINATOR, CoordinatorInput>
  | WorkflowEntry<typeof ALARMS, AlarmsInput>
  | WorkflowEntry<typeof BACKFILL_METRIC, MetricBackfillInput>
  | WorkflowEntry<typeof BACKTEST_WATCH, BacktestInput>
  | WorkflowEntry<typeof CHECK_CONNECTION, ConnectionCheckInput>
  | WorkflowEntry<typeof DELIVER_WEBHOOK, DeliveryInput>
  | WorkflowEntry<typeof ERASE_DATA, ErasureInput>
  | WorkflowEntry<typeof GRACE, GraceInput>
  | WorkflowEntry<typeof IMPORT_CALLS, ImportInput>
  | WorkflowEntry<typeof KEEP_RETENTION, RetentionInput>
  | WorkflowEntry<typeof MODEL_READER, ReaderInput>
  | WorkflowEntry<typeof SOUND_READER, SoundReaderInput>
  | WorkflowEntry<typeof NEXT_DEMO_VERSION, NextDemoVersionInput>
  | WorkflowEntry<typeof PUBLISH_DRAFT, PublishInput>
  | WorkflowEntry<typeof READ_BATCH, BatchInput>
  | WorkflowEntry<typeof READ_BRIEF, BriefReadInput>
  | WorkflowEntry<typeof REANALYSE, ReanalysisInput>
  | WorkflowEntry<typeof REMOVE_COPY, RemoveCopyInput>
  | WorkflowEntry<typeof RESCORE_RUN, RescoreInput>
  | WorkflowEntry<typeof RUN_TESTS, RunInput>
  | WorkflowEntry<typeof SETTLE_SPANS, SettleInput>;

/** An entry that may start its workflow. */
export type StartingEntry = Extract<OutboxEntry, { input: unknown }>;

/** An entry as it is stored. */
export interface OutboxRow {
  workflow: string;
  workflowId: string;
  /** `start`, the name of a signal, or `update/` and the name of an update. */
  action: string;
  /** What the workflow is started with when it is missing; empty where a message to a missing workflow is dropped. */
  startArgs: unknown[];
  /** Arguments of the signal or update; empty for `start`. */
  signalArgs: unknown[];
}

export interface StoredEntry extends OutboxRow {
  id: string;
  workspaceId: string;
  /** Sends that were begun, this one included. */
  tries: number;
}

/** PostgreSQL channel on which a transaction that wrote an entry says so, so that it is sent at once. */
export const OUTBOX_CHANNEL = 'earshot_orders';

const START = 'start';
const UPDATE = 'update/';

export function rowOfEntry(entry: OutboxEntry): OutboxRow {
  const { workflow, workflowId } = entry;
  const row = { workflow, workflowId, startArgs: 'input' in entry ? [entry.input] : [] };
  switch (entry.kind) {
    case 'start':
      return { ...row, action: START, signalArgs: [] };
    case 'signal':
    case 'signalWithStart':
      return { ...row, action: entry.signal, signalArgs: entry.signalArgs };
    case 'update':
      return { ...row, action: `${UPDATE}${entry.update}`, signalArgs: [entry.told] };
    default:
      return entry satisfies never;
  }
}

/** What the workflow, or the handler of its message, is told; updates name no trace. */
const toldIn = ({ action }: OutboxRow) => (action === START ? 'startArgs' : 'signalArgs');

export const traceOfRow = (row: OutboxRow): TraceCarrier | null => traceOf(row[toldIn(row)]);

/** Has what comes of an entry belong to a trace. */
export function tracedRow<Row extends OutboxRow>(row: Row, trace: TraceCarrier | null): Row {
  if (trace === null || row.action.startsWith(UPDATE)) return row;
  const told = toldIn(row);
  return { ...row, [told]: withTrace(row[told], trace) };
}

const WORKFLOWS: Record<OutboxEntry['workflow'], true> = {
  [ACCOUNT_POLLER]: true,
  [AGENT_COORDINATOR]: true,
  [ALARMS]: true,
  [BACKFILL_METRIC]: true,
  [BACKTEST_WATCH]: true,
  [CHECK_CONNECTION]: true,
  [DELIVER_WEBHOOK]: true,
  [ERASE_DATA]: true,
  [GRACE]: true,
  [IMPORT_CALLS]: true,
  [KEEP_RETENTION]: true,
  [MODEL_READER]: true,
  [SOUND_READER]: true,
  [NEXT_DEMO_VERSION]: true,
  [PUBLISH_DRAFT]: true,
  [READ_BATCH]: true,
  [READ_BRIEF]: true,
  [REANALYSE]: true,
  [REMOVE_COPY]: true,
  [RESCORE_RUN]: true,
  [RUN_TESTS]: true,
  [SETTLE_SPANS]: true,
};

/**
 * The entry that a row holds. Its input is of the workflow's type because `rowOfEntry` alone writes rows.
 * @throws on a workflow of another release
 */
export function entryOfRow({ workflow: named, workflowId, action, startArgs, signalArgs }: OutboxRow): OutboxEntry {
  const workflow = named === AGENT_COORDINATOR_BEFORE ? AGENT_COORDINATOR : named;
  if (!Object.hasOwn(WORKFLOWS, workflow)) throw new Error(`No workflow is named ${workflow}.`);
  return { ...kindOf(action, startArgs, signalArgs), workflow, workflowId } as OutboxEntry;
}

function kindOf(action: string, startArgs: unknown[], signalArgs: unknown[]) {
  if (action.startsWith(UPDATE)) return { kind: 'update', update: action.slice(UPDATE.length), told: signalArgs[0] };
  if (startArgs.length === 0) return { kind: 'signal', signal: action, signalArgs };
  const [input] = startArgs;
  return action === START ? { kind: 'start', input } : { kind: 'signalWithStart', input, signal: action, signalArgs };
}
