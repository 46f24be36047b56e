import { webhook } from '../../contract/webhook.ts';
import { defineOperation } from '../operation.ts';
import { presentWebhook, webhookParent } from './webhook.ts';

export const getWebhook = defineOperation({
  id: 'getWebhook',
  surface: 'app',
  method: 'GET',
  path: '/app/webhooks/{webhookId}',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Read a webhook',
  description: 'Whether events get through to it, and why it was switched off.',
  parents: [webhookParent],
  response: webhook,
  run: async (context) => presentWebhook(context.parent(webhookParent)),
});
