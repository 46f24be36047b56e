import { webhook, webhookChange } from '../../contract/webhook.ts';
import { updateWebhook } from '../../db/webhooks/webhooks.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { checkAddress, checkAgent, readBack, webhookParent } from './webhook.ts';

export const changeWebhook = defineOperation({
  id: 'changeWebhook',
  surface: 'app',
  method: 'PATCH',
  path: '/app/webhooks/{webhookId}',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Change a webhook, or switch it on or off',
  description:
    'What is switched off hears of nothing: what waits for it fails at once and can be sent again later. What waits for an address that changes goes to the new one.',
  parents: [webhookParent],
  body: webhookChange,
  response: webhook,
  transaction: false,
  async run(context, { body }) {
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one thing to change.');
    const { id } = context.parent(webhookParent);
    const { workspaceId } = context.person();
    const agentId = body.agentId === undefined ? undefined : await checkAgent(context, body.agentId);
    if (body.url !== undefined) await checkAddress(context, body.url);
    return context.em.transactional(async (em) => {
      if (!(await updateWebhook(em, id, { ...body, agentId }))) {
        throw new Failure('webhook_not_found', 'This webhook was deleted just now.');
      }
      await context.audited(em, null);
      return readBack(em, workspaceId, id);
    });
  },
});
