import { webhookSecretPlace } from '../../src/db/secrets/sealed-places.ts';
import type { DeliveryToTry } from '../../src/db/webhooks/delivery-tries.ts';
import type { TryResult } from '../../src/domain/delivery/outcome.ts';
import { parseRetryAfter } from '../../src/domain/retry-after.ts';
import { OutboundError } from '../../src/outbound/outbound-error.ts';
import { signMessage } from '../../src/outbound/sign-message.ts';
import type { ActivityDeps } from '../deps.ts';

export const TIMEOUT_MS = 15_000;
export const MAX_BYTES = 64 * 1024;

/** Posts an event to a webhook, signed by Standard Webhooks. */
export async function postSigned(
  { vault, receivers }: ActivityDeps,
  delivery: DeliveryToTry & { body: string; workspaceId: string },
): Promise<TryResult> {
  let signature: string;
  const at = new Date(delivery.nowMs);
  try {
    const secrets = [delivery.sealedSecret, delivery.sealedPreviousSecret].flatMap((sealed) => sealed ?? []);
    const place = webhookSecretPlace(delivery.workspaceId, delivery.webhookId);
    signature = signMessage(
      secrets.map((sealed) => vault.open(sealed, place)),
      { id: delivery.id, at, body: delivery.body },
    );
  } catch {
    return { status: null, error: 'The signing secret cannot be read with this EARSHOT_SECRET. Rotate the secret.' };
  }
  return orOutboundError(async () => {
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
      longer: 'cut',
    });
    return { status: answer.status, retryAfterMs: parseRetryAfter(answer.headers['retry-after'], delivery.nowMs) };
  });
}

/** A request that brought no answer is a try that failed. */
export async function orOutboundError(ask: () => Promise<TryResult>): Promise<TryResult> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof OutboundError) return { status: null, error: error.message };
    throw error;
  }
}
