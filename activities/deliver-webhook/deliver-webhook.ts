import { type DeliveryToTry, loadTry, recordTry } from '../../src/db/webhooks/delivery-tries.ts';
import type { TryResult } from '../../src/domain/delivery/outcome.ts';
import { parseRetryAfter } from '../../src/domain/delivery/retry-after.ts';
import { OutboundError } from '../../src/outbound/outbound-error.ts';
import { signMessage } from '../../src/outbound/sign-message.ts';
import type { DeliveryStep } from '../../src/temporal/deliver-webhook.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 64 * 1024;
/** On their way to one address at a time: a slow one leaves most slots of the worker to the others. */
const AT_ONCE_TO_ONE = 5;
const HELD_FIRST_MS = 1_000;
const HELD_LONGEST_MS = 30_000;

export interface DeliverOnceRequest {
  deliveryId: string;
  workspaceId: string;
  again: number;
  /** Looks in a row that found the address busy. */
  held: number;
}

/**
 * One try of one delivery, logged with what the receiver answered. A worker that dies between sending and logging leads
 * to the same message once more, with the same `webhook-id`, by which its receiver knows it.
 */
export function createDeliverOnce(deps: ActivityDeps) {
  const onTheirWay = new Map<string, number>();

  return async function deliverOnce(request: DeliverOnceRequest): Promise<DeliveryStep> {
    const { workspaceId, deliveryId, again, held } = request;
    const em = deps.database.within(workspaceId);
    const delivery = await loadTry(em, { deliveryId, again });
    if ('ended' in delivery) return { state: 'ended', words: delivery.ended };
    const { webhookId } = delivery;
    const before = onTheirWay.get(webhookId) ?? 0;
    if (before >= AT_ONCE_TO_ONE) return heldUp(held);
    onTheirWay.set(webhookId, before + 1);
    try {
      return await withHeartbeat(
        () => ({ try: delivery.tries + 1 }),
        async () => {
          const startedMs = performance.now();
          const result = await send(deps, delivery);
          const durationMs = Math.round(performance.now() - startedMs);
          return recordTry(em, { workspaceId, deliveryId, webhookId, again, result, durationMs });
        },
      );
    } finally {
      const after = (onTheirWay.get(webhookId) ?? 1) - 1;
      if (after > 0) onTheirWay.set(webhookId, after);
      else onTheirWay.delete(webhookId);
    }
  };
}

function heldUp(held: number): DeliveryStep {
  const waitMs = Math.round(Math.min(HELD_FIRST_MS * 1.5 ** held, HELD_LONGEST_MS) * (1 + Math.random() / 2));
  return { state: 'held', waitMs, words: 'Waits for other deliveries to the same address to end.' };
}

async function send({ vault, receivers }: ActivityDeps, delivery: DeliveryToTry): Promise<TryResult> {
  let signature: string;
  const at = new Date(delivery.nowMs);
  try {
    const secrets = [delivery.sealedSecret, delivery.sealedPreviousSecret].flatMap((sealed) => sealed ?? []);
    signature = signMessage(
      secrets.map((sealed) => vault.open(sealed)),
      { id: delivery.id, at, body: delivery.body },
    );
  } catch {
    return { status: null, error: 'The signing secret cannot be read with this EARSHOT_SECRET. Rotate the secret.' };
  }
  try {
    const answer = await receivers.request({
      url: delivery.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': delivery.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
        'webhook-event': delivery.event,
      },
      text: delivery.body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      cuts: true,
    });
    return { status: answer.status, retryAfterMs: parseRetryAfter(answer.headers['retry-after'], delivery.nowMs) };
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, error: error.message };
    throw error;
  }
}
