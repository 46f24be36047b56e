import { z } from 'zod';
import { sentAgain, webhookDelivery } from '../../contract/webhook.ts';
import { findDelivery, sendAgain as reopen, sendFailedAgain } from '../../db/webhooks/delivery-log.ts';
import { lockWebhook } from '../../db/webhooks/webhooks.ts';
import { END_REASONS } from '../../domain/delivery/messages.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { readNamed, readTime } from '../params.ts';
import { deliveryOf, deliveryParent, presentDelivery, webhookParent } from './webhook.ts';

const AT_ONCE = 500;

export const sendAgain = defineOperation({
  id: 'sendDeliveryAgain',
  surface: 'app',
  method: 'POST',
  path: '/app/webhooks/{webhookId}/deliveries/{deliveryId}/send-again',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Send a delivery again',
  description:
    'The same bytes under the same `webhook-id`, at once. One that waits for its next try ends its wait; one that ended begins anew, with tries for five days.',
  parents: [webhookParent, deliveryParent],
  response: webhookDelivery,
  async run(context) {
    const { id, hasBody } = deliveryOf(context);
    await holdEnabled(context);
    if (!hasBody) throw new Failure('delivery_refused', END_REASONS.aged);
    await reopen(context.em, context.person().workspaceId, id);
    const found = await findDelivery(context.em, id);
    if (!found) throw new Error('A delivery that was just changed is not there.');
    return presentDelivery(found);
  },
});

export const sendAgainSince = defineOperation({
  id: 'sendFailedAgain',
  surface: 'app',
  method: 'POST',
  path: '/app/webhooks/{webhookId}/send-again-since',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Send again what failed since a time',
  description: `Of events since then, oldest first, at most ${AT_ONCE} at once: call it again while \`count\` is ${AT_ONCE}. What waits is left to its next try, and what is older than 30 days can't be sent any more.`,
  parents: [webhookParent],
  body: z.strictObject({ since: z.string().max(40).describe('A time with seconds and a zone.') }),
  response: sentAgain,
  async run(context, { body }) {
    const since = readNamed('since', () => readTime(body.since));
    await holdEnabled(context);
    const { id } = context.parent(webhookParent);
    const count = await sendFailedAgain(context.em, context.person().workspaceId, id, since, AT_ONCE);
    return { object: 'sent_again' as const, count };
  },
});

/** Holds the webhook until the transaction ends. @throws Failure where it is switched off, or was deleted meanwhile. */
async function holdEnabled(context: Context): Promise<void> {
  const held = await lockWebhook(context.em, context.parent(webhookParent).id);
  if (held === null) throw new Failure('webhook_not_found', 'This webhook was deleted just now.');
  if (!held.enabled) throw new Failure('delivery_refused', 'The webhook is switched off. Enable it first.');
}
