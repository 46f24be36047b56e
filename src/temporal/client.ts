import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import proto from '@temporalio/proto';
import type { NamespaceStanding } from '../domain/installation/findings.ts';
import type { OutboxEntry } from './outbox.ts';
import type { UpdateEntry } from './outbox-entry.ts';
import { startOptions } from './start-options.ts';
import { TASK_QUEUES, type TaskQueue } from './task-queues.ts';

/** The one way from the API and the relay of the outbox to Temporal. It connects on first use, so that reads never need Temporal. */
export interface TemporalGateway {
  namespace: string;
  /**
   * Starts a workflow, or brings it a message (starting it first where it is missing). Done when the server has it;
   * also done when the workflow that the entry would start exists already.
   * @returns `nobody` for a message to a workflow that is not open and that the message may not start.
   */
  deliver(entry: OutboxEntry): Promise<Delivery>;
  /** Whether a workflow of this id was there and has come to its end, however it did. */
  isOver(workflowId: string): Promise<boolean>;
  /** Asks a workflow a query; needs a worker that is up. @throws when nobody answers within the time. */
  query<Answer>(workflowId: string, query: string, withinMs?: number): Promise<Answer>;
  /** What waits in the product's queues, for each kind of task. @throws when the server does not answer in time. */
  queues(withinMs?: number): Promise<QueueStanding[]>;
  /** Resolves when the server answers within the time. */
  check(withinMs?: number): Promise<void>;
  /** The id that the namespace was given when it was made: another one where the server lost its data. */
  dataId(): Promise<string>;
  /** Of which version the server is, and of which installation its namespace. */
  standing(): Promise<NamespaceStanding>;
  /**
   * Binds the namespace to an installation where it is bound to none, for good.
   * @param takesOver also where it is bound to another one, which is gone
   * @throws NamespaceTakenError where it belongs to another one
   */
  bindTo(installation: string, takesOver?: boolean): Promise<void>;
  client: Client;
  close(): Promise<void>;
}

export interface QueueStanding {
  name: TaskQueue;
  kind: 'workflow' | 'activity';
  waiting: number;
  /** How long the oldest of them has waited; 0 where none waits. */
  oldestSeconds: number;
}

export type Delivery = 'delivered' | 'nobody';

/** Under which name a namespace keeps the installation that it belongs to. */
const BOUND_TO = 'earshotInstallation';

/** Two installations in one namespace would take each other's work. */
export class NamespaceTakenError extends Error {
  override name = 'NamespaceTakenError';

  constructor(namespace: string, installation: string) {
    super(
      `The namespace ${namespace} of Temporal belongs to another installation of Earshot, and two would take each other's work. Set TEMPORAL_NAMESPACE to a namespace of this one's own. If the other is gone for good, take it over: temporal operator namespace update --namespace ${namespace} --data ${BOUND_TO}=${installation}`,
    );
  }
}

const DELIVER_WITHIN_MS = 5_000;
const ASK_WITHIN_MS = 1_500;

/** The SDK's own environment configuration (`TEMPORAL_ADDRESS`, `TEMPORAL_PROFILE`, …), or a place given by the caller. */
export function temporalConnectConfig(given: TemporalPlace = {}): ClientConnectConfig & { namespace: string } {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  return {
    connectionOptions: given.address ? { ...connectionOptions, address: given.address } : connectionOptions,
    namespace: given.namespace ?? namespace ?? 'default',
  };
}

/** Set where the environment is not what counts. */
export interface TemporalPlace {
  address?: string;
  namespace?: string;
}

/** @param payloadCodec seals and opens what messages carry; left out where nothing but the server itself is asked. */
export async function createTemporal(place: TemporalPlace = {}, payloadCodec?: PayloadCodec): Promise<TemporalGateway> {
  const { connectionOptions, namespace } = temporalConnectConfig(place);
  const connection = Connection.lazy({ ...connectionOptions, connectTimeout: DELIVER_WITHIN_MS });
  const client = new Client({ connection, namespace, ...dataConverterOf(payloadCodec) });
  const within = <Answer>(ms: number, ask: () => Promise<Answer>) => connection.withDeadline(Date.now() + ms, ask);
  const describe = () => within(ASK_WITHIN_MS, () => connection.workflowService.describeNamespace({ namespace }));
  const ownerOf = async () => (await describe()).namespaceInfo?.data?.[BOUND_TO] || null;
  return {
    namespace,
    client,
    deliver: (entry) => within(DELIVER_WITHIN_MS, () => deliver(client, entry)),
    isOver: (workflowId) => within(DELIVER_WITHIN_MS, () => isOver(client, workflowId)),
    query: (workflowId, query, withinMs = ASK_WITHIN_MS) =>
      within(withinMs, () => client.workflow.getHandle(workflowId).query(query)),
    queues: (withinMs = ASK_WITHIN_MS) => within(withinMs, () => readQueues(connection, namespace)),
    check: async (withinMs = ASK_WITHIN_MS) => {
      await within(withinMs, () => connection.workflowService.getSystemInfo({}));
    },
    dataId: async () => (await describe()).namespaceInfo?.id ?? '',
    standing: async () => {
      const { serverVersion } = await within(ASK_WITHIN_MS, () => connection.workflowService.getSystemInfo({}));
      return { namespace, serverVersion: serverVersion ?? 'unknown version', installation: await ownerOf() };
    },
    async bindTo(installation, takesOver = false) {
      const owner = await ownerOf();
      if (owner === null || (takesOver && owner !== installation)) {
        const updateInfo = { data: { [BOUND_TO]: installation } };
        await within(DELIVER_WITHIN_MS, () => connection.workflowService.updateNamespace({ namespace, updateInfo }));
      }
      // Read again: of two that bind it at once, one has it.
      if ((await ownerOf()) !== installation) throw new NamespaceTakenError(namespace, installation);
    },
    close: () => connection.close(),
  };
}

/** For clients and workers. */
export const dataConverterOf = (payloadCodec: PayloadCodec | undefined) =>
  payloadCodec ? { dataConverter: { payloadCodecs: [payloadCodec] } } : {};

const QUEUE_KINDS: readonly (readonly [TaskQueue, QueueStanding['kind']])[] = [
  [TASK_QUEUES.control, 'workflow'],
  [TASK_QUEUES.control, 'activity'],
  [TASK_QUEUES.analysis, 'activity'],
  [TASK_QUEUES.checks, 'activity'],
  [TASK_QUEUES.models, 'activity'],
  [TASK_QUEUES.conversations, 'activity'],
  [TASK_QUEUES.deliveries, 'activity'],
];

function readQueues(connection: Connection, namespace: string): Promise<QueueStanding[]> {
  const { TaskQueueType } = proto.temporal.api.enums.v1;
  return Promise.all(
    QUEUE_KINDS.map(async ([name, kind]): Promise<QueueStanding> => {
      const { stats } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name },
        taskQueueType:
          kind === 'workflow' ? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW : TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        reportStats: true,
      });
      const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
      const waiting = Number(stats?.approximateBacklogCount ?? 0);
      return { name, kind, waiting, oldestSeconds: Number(seconds ?? 0) + (nanos ?? 0) / 1e9 };
    }),
  );
}

async function deliver(client: Client, entry: OutboxEntry): Promise<Delivery> {
  try {
    switch (entry.kind) {
      case 'start': {
        const { startDelay } = entry;
        await client.workflow.start(entry.workflow, { ...startOptions(entry), ...(startDelay && { startDelay }) });
        return 'delivered';
      }
      case 'signalWithStart': {
        const { signal, signalArgs } = entry;
        await client.workflow.signalWithStart(entry.workflow, { ...startOptions(entry), signal, signalArgs });
        return 'delivered';
      }
      case 'signal':
        await client.workflow.getHandle(entry.workflowId).signal(entry.signal, ...entry.signalArgs);
        return 'delivered';
      case 'update':
        return await bringUpdate(client, entry);
      default:
        return entry satisfies never;
    }
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'delivered';
    if (error instanceof WorkflowNotFoundError && !('input' in entry)) return 'nobody';
    throw error;
  }
}

async function isOver(client: Client, workflowId: string): Promise<boolean> {
  return (await isWorkflowOpen(client, workflowId)) === false;
}

/** A paused workflow goes on some time, and so does one that continues as new. */
const CLOSED: readonly string[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT'];

/** Null where no workflow of this id is there. */
export async function isWorkflowOpen({ workflow }: Client, workflowId: string): Promise<boolean | null> {
  try {
    return !CLOSED.includes((await workflow.getHandle(workflowId).describe()).status.name);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/**
 * Brings an update, whose id is that of what it tells of, so that a second delivery counts once. Done when the workflow
 * has taken it; one that it refuses has nothing left to change.
 */
async function bringUpdate(client: Client, { workflowId, update, told }: UpdateEntry<string>): Promise<Delivery> {
  try {
    await client.workflow.getHandle(workflowId).startUpdate<void, [{ decisionId: string }]>(update, {
      args: [told],
      updateId: told.decisionId,
      waitForStage: 'ACCEPTED',
    });
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return 'delivered';
    throw error;
  }
}

/** Terminates all open workflows of an agent that is being deleted but one. */
export async function endWorkflowsOf({ workflow }: Client, agentId: string, except: string): Promise<void> {
  const query = `EarshotAgent = '${agentId}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId } of workflow.list({ query })) {
    if (workflowId === except) continue;
    try {
      await workflow.getHandle(workflowId, runId).terminate('Its agent is being deleted.');
    } catch (error) {
      // It came to its end by itself meanwhile.
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
