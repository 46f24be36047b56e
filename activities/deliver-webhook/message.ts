import type { ThreadRoot } from '../../src/db/channels/threads.ts';
import type { TryResult } from '../../src/domain/delivery/outcome.ts';
import type { KeptMessage } from '../../src/domain/messages/compose.ts';
import type { DeliveryStep } from '../../src/temporal/deliver-webhook.ts';

export interface DeliverOnceRequest {
  deliveryId: string;
  workspaceId: string;
  again: number;
  /** Looks in a row that found the address busy. */
  held: number;
}

/** What is to be done about a delivery now. */
export type Prepared = { send: () => Promise<TryResult> } | DeliveryStep;

export interface MessageToSend extends KeptMessage {
  /** That of its delivery: it names the message for good. */
  id: string;
  root: ThreadRoot | null;
  nowMs: number;
}
