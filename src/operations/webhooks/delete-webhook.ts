import { webhook } from '../../contract/webhook.ts';
import { deleteWebhook as remove } from '../../db/webhooks/webhooks.ts';
import { defineOperation } from '../operation.ts';
import { presentWebhook, webhookParent } from './webhook.ts';

export const deleteWebhook = defineOperation({
  id: 'deleteWebhook',
  surface: 'app',
  method: 'DELETE',
  path: '/app/webhooks/{webhookId}',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'At once and for good, with its secret. What still waited for it is dropped.',
  parents: [webhookParent],
  response: webhook,
  async run({ em, parent }) {
    const found = parent(webhookParent);
    await remove(em, found.id);
    return { ...presentWebhook(found), enabled: false, pending: 0 };
  },
});
