import { type DeliveryToTry, loadTry, recordTry } from '../../src/db/webhooks/delivery-tries.ts';
import type { DeliveryStep } from '../../src/temporal/deliver-webhook.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import type { DeliverOnceRequest, Prepared } from './message.ts';
import { postSigned } from './post-signed.ts';
import { prepareMessage } from './prepare-message.ts';

/** On their way to one address at a time: a slow one leaves most slots of the worker to the others. */
const AT_ONCE_TO_ONE = 5;

const HELD_FIRST_MS = 1_000;

const HELD_LONGEST_MS = 30_000;

/** Clocks of Temporal and PostgreSQL need not agree to the millisecond. */
const DUE_LONGEST_MS = 24 * 60 * 60 * 1000;

/**
 * One try of one delivery, logged with what the receiver answered. A worker that dies between sending and logging leads
 * to the same message once more, with the same id, by which its receiver knows it.
 */
export function createDeliverOnce(deps: ActivityDeps) {
  const onTheirWay = new Map<string, number>();

  return async function deliverOnce(request: DeliverOnceRequest): Promise<DeliveryStep> {
    const { workspaceId, deliveryId, again, held } = request;
    const em = deps.database.within(workspaceId);
    const delivery = await loadTry(em, { deliveryId, again });
    if ('ended' in delivery) return { state: 'ended', words: delivery.ended };
    if (isEarly(delivery)) return notDue(delivery.dueInMs);
    const { webhookId } = delivery;
    const before = onTheirWay.get(webhookId) ?? 0;
    if (before >= AT_ONCE_TO_ONE) return heldUp(held);
    onTheirWay.set(webhookId, before + 1);
    try {
      return await withHeartbeat(
        () => ({ try: delivery.tries + 1 }),
        async () => {
          const prepared = await prepare(deps, request, delivery);
          if ('state' in prepared) return prepared;
          const startedMs = performance.now();
          const result = await prepared.send();
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

async function prepare(deps: ActivityDeps, request: DeliverOnceRequest, delivery: DeliveryToTry): Promise<Prepared> {
  const { kind, body } = delivery;
  if (kind !== 'webhook') return prepareMessage(deps, request, { ...delivery, kind });
  if (body === null) throw new Error('A delivery to a webhook has a body as long as it is tried.');
  return { send: () => postSigned(deps, { ...delivery, body, workspaceId: request.workspaceId }) };
}

/** A message to people may be due later; a webhook that is tried before its time was told to. */
const isEarly = ({ kind, tries, dueInMs }: DeliveryToTry) => kind !== 'webhook' && tries === 0 && dueInMs > 0;

function notDue(dueInMs: number): DeliveryStep {
  const at = new Date(Date.now() + dueInMs).toISOString();
  return { state: 'held', waitMs: Math.min(dueInMs + 1, DUE_LONGEST_MS), words: `Is to be sent at ${at}.` };
}

function heldUp(held: number): DeliveryStep {
  const waitMs = Math.round(Math.min(HELD_FIRST_MS * 1.5 ** held, HELD_LONGEST_MS) * (1 + Math.random() / 2));
  return { state: 'held', waitMs, words: 'Waits for other deliveries to the same address to end.' };
}
