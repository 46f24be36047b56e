import { type WorkflowStartOptions } from '@temporalio/client';
import { ACCOUNT_POLLER } from './account-poller.ts';
import { AGENT_COORDINATOR } from './agent-coordinator.ts';
import { ALARMS } from './alarms.ts';
import { BACKFILL_METRIC } from './backfill-metric.ts';
import { BACKTEST_WATCH } from './backtest-watch.ts';
import { CHECK_CONNECTION } from './check-connection.ts';
import { DELIVER_WEBHOOK } from './deliver-webhook.ts';
import { ERASE_DATA, type ErasureInput } from './erase-data.ts';
import { GRACE } from './grace-period.ts';
import { IMPORT_CALLS } from './import-calls.ts';
import { KEEP_RETENTION } from './keep-retention.ts';
import { MODEL_READER } from './model-reader.ts';
import { NEXT_DEMO_VERSION } from './next-demo-version.ts';
import type { StartingEntry } from './outbox.ts';
import { PUBLISH_DRAFT } from './publish-draft.ts';
import { READ_BATCH } from './read-batch.ts';
import { READ_BRIEF } from './read-brief.ts';
import { REANALYSE } from './reanalyse.ts';
import { REMOVE_COPY } from './remove-copy.ts';
import { RESCORE_RUN, RUN_TESTS } from './run-tests.ts';
import {
  alarmAttributes,
  backfillAttributes,
  backtestAttributes,
  connectAttributes,
  coordinatorAttributes,
  copyAttributes,
  deliveryAttributes,
  erasureAttributes,
  graceAttributes,
  importAttributes,
  pollerAttributes,
  publishAttributes,
  readerAttributes,
  reanalysisAttributes,
  rescoreAttributes,
  retentionAttributes,
  runAttributes,
  settleAttributes,
} from './search-attributes.ts';
import { SETTLE_SPANS } from './settle-spans.ts';
import { SOUND_READER } from './sound-reader.ts';
import { TASK_QUEUES } from './task-queues.ts';

/** Reuse and conflict policies by workflow: a coordinator may be opened again, an import's id is used once. */
export function startOptions(entry: StartingEntry): WorkflowStartOptions {
  const common = {
    workflowId: entry.workflowId,
    taskQueue: TASK_QUEUES.control,
    args: [entry.input],
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  switch (entry.workflow) {
    case AGENT_COORDINATOR: {
      const { input: coordinator } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: coordinatorAttributes(coordinator.agentId),
        staticSummary: `Coordinator of ${coordinator.agentName ?? `agent ${coordinator.agentId}`}: live calls and a backfill side by side`,
      };
    }
    case ACCOUNT_POLLER: {
      const { connectionId, platform = 'platform' } = entry.input;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: pollerAttributes(),
        staticSummary: `Poller of a ${platform} account (connection ${connectionId}): new calls of all its agents`,
      };
    }
    case GRACE: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: graceAttributes(input.agentId),
        staticSummary: `Grace periods of ${input.agentName ?? `agent ${input.agentId}`}: when its open issues count as resolved`,
      };
    }
    case ALARMS: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: alarmAttributes(input.agentId),
        staticSummary: `Alarms of agent ${input.agentId}: looks at each when its next window is over`,
      };
    }
    case SETTLE_SPANS: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: settleAttributes(input.agentId),
        staticSummary: `Spans of agent ${input.agentId}: calls are made of them when they are over`,
      };
    }
    case MODEL_READER: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: readerAttributes(input.agentId),
        staticSummary: `Reading by a model, beside the rules, of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case SOUND_READER: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: readerAttributes(input.agentId),
        staticSummary: `Recordings of agent ${input.agentId} are measured`,
      };
    }
    case CHECK_CONNECTION: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(null),
        staticSummary: `Look at a platform with a new key (connection ${input.connectionId})`,
      };
    }
    case READ_BRIEF: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(input.agentId),
        staticSummary: `Brief of ${input.agentName ?? `agent ${input.agentId}`}, read from its configuration`,
      };
    }
    case NEXT_DEMO_VERSION: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(input.desk.agentId),
        staticSummary: `Another version of ${input.desk.agentName ?? `agent ${input.desk.agentId}`} at the demo platform`,
      };
    }
    case REANALYSE: {
      const { input } = entry;
      return {
        ...common,
        // Switching on may be taken up again; the record says whether there is anything to do.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: reanalysisAttributes(input.agentId),
        staticSummary: `Re-analysis (${input.task}) of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case RUN_TESTS: {
      const { input } = entry;
      const what = input.retry ? `Second try ${input.retry} of the errors of a run` : 'Run of tests';
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: runAttributes(input.agentId, input.runId),
        staticSummary: `${what} of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case RESCORE_RUN: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: rescoreAttributes(input.agentId, input.runId),
        staticSummary: `Rescore ${input.nth} of a run of ${input.agentName ?? `agent ${input.agentId}`}, without a call`,
      };
    }
    case BACKFILL_METRIC: {
      const { input } = entry;
      return {
        ...common,
        // Asked for again, it computes all of it once more.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: backfillAttributes(input.agentId),
        staticSummary: `Backfill of a custom metric of agent ${input.agentId}, version ${input.version}`,
      };
    }
    case READ_BATCH: {
      const { input } = entry;
      return {
        ...common,
        // One that was ended from outside goes on from its row.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: readerAttributes(input.agentId),
        staticSummary: `Batch of questions about calls of agent ${input.agentId}`,
      };
    }
    case BACKTEST_WATCH: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: backtestAttributes(input.agentId),
        staticSummary: `Backtest of a watch of ${input.agentName ?? `agent ${input.agentId}`}, revision ${input.revision}`,
      };
    }
    case PUBLISH_DRAFT: {
      const { input } = entry;
      const { agentId, agentName } = input.coordinator;
      const what = input.kind === 'publish' ? 'Publish of a draft' : 'Rollback of a draft';
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: publishAttributes(agentId),
        staticSummary: `${what} of ${agentName ?? `agent ${agentId}`}, revision ${input.revision}`,
      };
    }
    case REMOVE_COPY: {
      const { input } = entry;
      return {
        ...common,
        // What is left of it is in the record: what could not be removed is tried again.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: copyAttributes(input.agentId),
        staticSummary: `Removal of a copy of agent ${input.agentId} from its platform`,
      };
    }
    case ERASE_DATA: {
      const { input } = entry;
      return {
        ...common,
        // Where it stands is in the record, so that one that Temporal lost may begin anew.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: erasureAttributes(input.agentId),
        staticSummary: erasureSummary(input),
      };
    }
    case KEEP_RETENTION:
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: retentionAttributes(),
        staticSummary: 'Retention: removes what is kept no longer, once a day, of all agents',
      };
    case IMPORT_CALLS: {
      const { input } = entry;
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: importAttributes(input.agentId, input.importId),
        staticSummary: `Import of calls of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case DELIVER_WEBHOOK: {
      const { input } = entry;
      return {
        ...common,
        // Whether there is anything to send is in the record, so that one that Temporal lost may begin anew.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: deliveryAttributes(input.agentId),
        staticSummary: `Webhook: ${input.event}`,
      };
    }
    default:
      return entry satisfies never;
  }
}

function erasureSummary({ agentId, agentName, isWhole }: ErasureInput): string {
  if (agentId === null) return 'Erasure of a workspace';
  const agent = agentName ?? `agent ${agentId}`;
  return isWhole ? `Erasure of ${agent}` : `Erasure of calls of ${agent}`;
}
