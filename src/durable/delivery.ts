import type { Order } from './orders.ts';

/** One event brought to one address, with growing gaps, for days: `delivery/<deliveryId>`. */
export const DELIVER_WEBHOOK = 'deliverWebhook';
export const deliveryWorkflowId = (deliveryId: string) => `delivery/${deliveryId}`;

export interface DeliveryInput {
  deliveryId: string;
  workspaceId: string;
  /** Times that somebody had it sent again; each is a workflow of its own. */
  again: number;
}

export function deliveryOrder(input: DeliveryInput): Order {
  const { deliveryId, again } = input;
  return {
    workflow: DELIVER_WEBHOOK,
    workflowId: again === 0 ? deliveryWorkflowId(deliveryId) : `${deliveryWorkflowId(deliveryId)}/${again}`,
    action: 'start',
    startArgs: [input],
    signalArgs: [],
  };
}
