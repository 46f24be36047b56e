import type { SignalWithStartEntry, StartEntry } from './outbox-entry.ts';

/** One event brought to one address, with growing gaps, for days: `delivery/<deliveryId>`. */
export const DELIVER_WEBHOOK = 'deliverWebhook';
export const deliveryWorkflowId = (deliveryId: string, again = 0) =>
  again === 0 ? `delivery/${deliveryId}` : `delivery/${deliveryId}/${again}`;

export interface DeliveryInput {
  deliveryId: string;
  workspaceId: string;
  agentId: string | null;
  /** For the summary that operators see. */
  event: string;
  /** Times that somebody had it sent again; each is a workflow of its own. */
  again: number;
}

/** Signal: ends the wait for the next try. */
export const DELIVERY_SIGNALS = { tryNow: 'tryNow' } as const;

/** What one look at a delivery came to, in words of our own: Temporal keeps them. */
export type DeliveryStep =
  /** Delivered, given up, or no longer to be sent. */
  | { state: 'ended'; words: string }
  /** Tried, and to be tried again. */
  | { state: 'failed'; waitMs: number; words: string }
  /** Not tried: as many as may be are on their way to the address. */
  | { state: 'held'; waitMs: number; words: string };

export function deliveryEntry(input: DeliveryInput): StartEntry<typeof DELIVER_WEBHOOK, DeliveryInput> {
  return {
    kind: 'start',
    workflow: DELIVER_WEBHOOK,
    workflowId: deliveryWorkflowId(input.deliveryId, input.again),
    input,
  };
}

/** Has a delivery that waits tried at once. */
export function deliverNowEntry(input: DeliveryInput): SignalWithStartEntry<typeof DELIVER_WEBHOOK, DeliveryInput> {
  return { ...deliveryEntry(input), kind: 'signalWithStart', signal: DELIVERY_SIGNALS.tryNow, signalArgs: [] };
}
