import { webhookDeliveryWithTries } from '../../contract/webhook.ts';
import { listTries } from '../../db/webhooks/delivery-log.ts';
import { defineOperation } from '../operation.ts';
import { deliveryOf, deliveryParent, presentDelivery, webhookParent } from './webhook.ts';

const MOST_TRIES = 100;

export const getDelivery = defineOperation({
  id: 'getDelivery',
  surface: 'app',
  method: 'GET',
  path: '/app/webhooks/{webhookId}/deliveries/{deliveryId}',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Read a delivery with its tries',
  description: 'What the receiver answered to each try, and when the next one is.',
  parents: [webhookParent, deliveryParent],
  response: webhookDeliveryWithTries,
  async run(context) {
    const delivery = deliveryOf(context);
    return { ...presentDelivery(delivery), log: await listTries(context.em, delivery.id, MOST_TRIES) };
  },
});
