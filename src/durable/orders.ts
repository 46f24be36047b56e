/**
 * A start order as it stands in `start_orders`: start a workflow, or bring it a message (starting it first where it is
 * missing). Written in the transaction of the row that it serves; sent at once, and by the starter if a crash came between.
 */
export interface Order {
  workflow: string;
  workflowId: string;
  /** `start`, the name of a signal, or an update (see `updateAction`). */
  action: string;
  /** What the workflow is started with when it is missing; empty where a message to a missing workflow is dropped. */
  startArgs: unknown[];
  /** Arguments of the signal or update; empty for `start`. */
  signalArgs: unknown[];
}

const UPDATE = 'update/';

/** The action of an order that brings an update. Its one argument has a `decisionId`, which is the update's own id. */
export const updateAction = (name: string) => `${UPDATE}${name}`;

/** @returns the name of the update, or null for any other action. */
export const updateNameOf = (action: string): string | null =>
  action.startsWith(UPDATE) ? action.slice(UPDATE.length) : null;

/** PostgreSQL channel on which a transaction that wrote an order says so, so that it is sent at once. */
export const ORDERS_CHANNEL = 'earshot_orders';
