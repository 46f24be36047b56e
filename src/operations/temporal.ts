import {
  Client,
  Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { type ClientConnectConfig, loadClientConnectConfig } from '@temporalio/envconfig';
import proto from '@temporalio/proto';
import { type Order, updateNameOf } from '../durable/orders.ts';
import { SEARCH_ATTRIBUTES } from '../durable/search-attributes.ts';
import { TASK_QUEUES, type TaskQueue } from '../durable/task-queues.ts';
import { startOptions } from './start-options.ts';

/** The one way from the API and the starter to Temporal. It connects on first use, so that reads never need Temporal. */
export interface TemporalGateway {
  namespace: string;
  /**
   * Starts a workflow, or brings it a message (starting it first where it is missing). Done when the server has it;
   * also done when the workflow that the order would start exists already.
   * @returns `nobody` for a message to a workflow that is not open and that the message may not start.
   */
  deliver(order: Order): Promise<Delivery>;
  /** Whether a workflow of this id was there and has come to its end, however it did. */
  isOver(workflowId: string): Promise<boolean>;
  /** Asks a workflow a query; needs a worker that is up. @throws when nobody answers within the time. */
  query<Answer>(workflowId: string, query: string, withinMs?: number): Promise<Answer>;
  /** What waits in the product's queues, for each kind of task. @throws when the server does not answer in time. */
  queues(withinMs?: number): Promise<QueueStanding[]>;
  /** Resolves when the server answers within the time. */
  check(withinMs?: number): Promise<void>;
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

export async function createTemporal(place: TemporalPlace = {}): Promise<TemporalGateway> {
  const { connectionOptions, namespace } = temporalConnectConfig(place);
  const connection = Connection.lazy({ ...connectionOptions, connectTimeout: DELIVER_WITHIN_MS });
  const client = new Client({ connection, namespace });
  const within = <Answer>(ms: number, ask: () => Promise<Answer>) => connection.withDeadline(Date.now() + ms, ask);
  return {
    namespace,
    client,
    deliver: (order) => within(DELIVER_WITHIN_MS, () => deliver(client, order)),
    isOver: (workflowId) => within(DELIVER_WITHIN_MS, () => isOver(client, workflowId)),
    query: (workflowId, query, withinMs = ASK_WITHIN_MS) =>
      within(withinMs, () => client.workflow.getHandle(workflowId).query(query)),
    queues: (withinMs = ASK_WITHIN_MS) => within(withinMs, () => readQueues(connection, namespace)),
    check: async (withinMs = ASK_WITHIN_MS) => {
      await within(withinMs, () => connection.workflowService.getSystemInfo({}));
    },
    close: () => connection.close(),
  };
}

const QUEUE_KINDS: readonly (readonly [TaskQueue, QueueStanding['kind']])[] = [
  [TASK_QUEUES.control, 'workflow'],
  [TASK_QUEUES.control, 'activity'],
  [TASK_QUEUES.analysis, 'activity'],
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

async function deliver(client: Client, order: Order): Promise<Delivery> {
  try {
    const update = updateNameOf(order.action);
    if (update !== null) return await bringUpdate(client, order, update);
    if (order.startArgs.length === 0) {
      await client.workflow.getHandle(order.workflowId).signal(order.action, ...order.signalArgs);
    } else if (order.action === 'start') {
      await client.workflow.start(order.workflow, startOptions(order));
    } else {
      await client.workflow.signalWithStart(order.workflow, {
        ...startOptions(order),
        signal: order.action,
        signalArgs: order.signalArgs,
      });
    }
    return 'delivered';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'delivered';
    if (error instanceof WorkflowNotFoundError && order.startArgs.length === 0) return 'nobody';
    throw error;
  }
}

async function isOver(client: Client, workflowId: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name !== 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Brings an update, whose id is that of what it tells of, so that a second delivery counts once. Done when the workflow
 * has taken it; one that it refuses has nothing left to change.
 */
async function bringUpdate(client: Client, order: Order, name: string): Promise<Delivery> {
  const [told] = order.signalArgs as [{ decisionId: string }];
  try {
    await client.workflow.getHandle(order.workflowId).startUpdate<void, [{ decisionId: string }]>(name, {
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

const { IndexedValueType } = proto.temporal.api.enums.v1;
const INDEXED_VALUE_TYPES = {
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
} as const satisfies Record<(typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES], number>;

/** The search attributes of the product with the server's numbers of their types. */
export function searchAttributeTypes(): Record<string, number> {
  return Object.fromEntries(Object.entries(SEARCH_ATTRIBUTES).map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]));
}

/**
 * Registers the search attributes that the namespace lacks. Flags of the dev server hold only for a new namespace, so
 * every start asks.
 * @returns the names that were added.
 * @throws where an attribute exists with another type.
 */
export async function addMissingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing: Record<string, number> = {};
  for (const [name, type] of Object.entries(searchAttributeTypes())) {
    const there: number | undefined = customAttributes[name];
    if (there === undefined) missing[name] = type;
    else if (there !== type) {
      throw new Error(`The search attribute ${name} of namespace ${namespace} has another type. Remove or rename it.`);
    }
  }
  const names = Object.keys(missing);
  if (names.length > 0) await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: missing });
  return names;
}
