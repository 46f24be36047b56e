import { listOf } from '../../contract/common.ts';
import { webhookDelivery } from '../../contract/webhook.ts';
import { listDeliveries as readDeliveries } from '../../db/webhooks/delivery-log.ts';
import { DELIVERY_STATES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { presentDelivery, webhookParent } from './webhook.ts';

export const listDeliveries = defineOperation({
  id: 'listDeliveries',
  surface: 'app',
  method: 'GET',
  path: '/app/webhooks/{webhookId}/deliveries',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'List what was sent to a webhook',
  description: 'The log of deliveries, newest event first.',
  parents: [webhookParent],
  query: {
    state: choiceParam(DELIVERY_STATES, 'Only deliveries in this state.'),
    limit: limitParam(),
    cursor: timeCursor,
  },
  response: listOf(webhookDelivery),
  async run(context, { query }) {
    const { id } = context.parent(webhookParent);
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readDeliveries(context.em, id, { state: query.state }, page);
    return context.page(rows, query.limit, presentDelivery, (row) => [row.createdAt, row.id]);
  },
});
