import { type WorkflowStartOptions } from '@temporalio/client';
import { type BriefReadInput, CHECK_CONNECTION, type ConnectionCheckInput, READ_BRIEF } from '../durable/connect.ts';
import { DELIVER_WEBHOOK, type DeliveryInput } from '../durable/delivery.ts';
import { NEXT_DEMO_VERSION, type NextDemoVersionInput } from '../durable/demo-version.ts';
import { AGENT_DESK, type DeskInput } from '../durable/desk.ts';
import { GRACE, type GraceInput } from '../durable/grace.ts';
import { IMPORT_CALLS, type ImportInput } from '../durable/import.ts';
import { MODEL_READER, type ReaderInput } from '../durable/model-reader.ts';
import { type Order } from '../durable/orders.ts';
import { REANALYSE, type ReanalysisInput } from '../durable/reanalysis.ts';
import { RESCORE_RUN, type RescoreInput, RUN_TESTS, type RunInput } from '../durable/run.ts';
import {
  connectAttributes,
  deliveryAttributes,
  deskAttributes,
  graceAttributes,
  importAttributes,
  readerAttributes,
  reanalysisAttributes,
  rescoreAttributes,
  runAttributes,
} from '../durable/search-attributes.ts';
import { TASK_QUEUES } from '../durable/task-queues.ts';

/** Reuse and conflict policies by workflow: a desk may be opened again, an import's id is used once. */
export function startOptions(order: Order): WorkflowStartOptions {
  const common = {
    workflowId: order.workflowId,
    taskQueue: TASK_QUEUES.control,
    args: order.startArgs,
    workflowIdConflictPolicy: 'USE_EXISTING',
  } as const;
  switch (order.workflow) {
    case AGENT_DESK: {
      const [desk] = order.startArgs as [DeskInput];
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: deskAttributes(desk.agentId),
        staticSummary: `Desk of ${desk.agentName ?? `agent ${desk.agentId}`}: one import and one grouping at a time`,
      };
    }
    case GRACE: {
      const [input] = order.startArgs as [GraceInput];
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: graceAttributes(input.agentId),
        staticSummary: `Grace periods of ${input.agentName ?? `agent ${input.agentId}`}: when its open issues count as resolved`,
      };
    }
    case MODEL_READER: {
      const [input] = order.startArgs as [ReaderInput];
      return {
        ...common,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: readerAttributes(input.agentId),
        staticSummary: `Reading by a model, beside the rules, of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case CHECK_CONNECTION: {
      const [input] = order.startArgs as [ConnectionCheckInput];
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(null),
        staticSummary: `Look at a platform with a new key (connection ${input.connectionId})`,
      };
    }
    case READ_BRIEF: {
      const [input] = order.startArgs as [BriefReadInput];
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(input.agentId),
        staticSummary: `Brief of ${input.agentName ?? `agent ${input.agentId}`}, read from its configuration`,
      };
    }
    case NEXT_DEMO_VERSION: {
      const [input] = order.startArgs as [NextDemoVersionInput];
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: connectAttributes(input.desk.agentId),
        staticSummary: `Another version of ${input.desk.agentName ?? `agent ${input.desk.agentId}`} at the demo platform`,
      };
    }
    case REANALYSE: {
      const [input] = order.startArgs as [ReanalysisInput];
      return {
        ...common,
        // Switching on may be taken up again; the record says whether there is anything to do.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: reanalysisAttributes(input.agentId),
        staticSummary: `Re-analysis (${input.task}) of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case RUN_TESTS: {
      const [input] = order.startArgs as [RunInput];
      const what = input.retry ? `Second try ${input.retry} of the errors of a run` : 'Run of tests';
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: runAttributes(input.agentId, input.runId),
        staticSummary: `${what} of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case RESCORE_RUN: {
      const [input] = order.startArgs as [RescoreInput];
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: rescoreAttributes(input.agentId, input.runId),
        staticSummary: `Rescore ${input.nth} of a run of ${input.agentName ?? `agent ${input.agentId}`}, without a call`,
      };
    }
    case IMPORT_CALLS: {
      const [input] = order.startArgs as [ImportInput];
      return {
        ...common,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        typedSearchAttributes: importAttributes(input.agentId, input.importId),
        staticSummary: `Import of calls of ${input.agentName ?? `agent ${input.agentId}`}`,
      };
    }
    case DELIVER_WEBHOOK: {
      const [input] = order.startArgs as [DeliveryInput];
      return {
        ...common,
        // Whether there is anything to send is in the record, so that one that Temporal lost may begin anew.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        typedSearchAttributes: deliveryAttributes(input.agentId),
        staticSummary: `Webhook: ${input.event}`,
      };
    }
    default:
      throw new Error(`No workflow is named ${order.workflow}.`);
  }
}
