import { webhookWithSecret } from '../../contract/webhook.ts';
import { webhookSecretPlace } from '../../db/secrets/sealed-places.ts';
import { rotateSecret } from '../../db/webhooks/webhooks.ts';
import { defineOperation } from '../operation.ts';
import { newWebhookSecret, readBack, webhookParent } from './webhook.ts';

const BOTH_FOR_HOURS = 24;

export const rotateWebhookSecret = defineOperation({
  id: 'rotateWebhookSecret',
  surface: 'app',
  method: 'POST',
  path: '/app/webhooks/{webhookId}/rotate-secret',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Give a webhook another secret',
  description:
    'For 24 hours every message carries two signatures, by the new secret and by the one before, so that the receiver can change over; a rotation within that time ends the older one at once. The new secret is in this answer and never shown again.',
  parents: [webhookParent],
  response: webhookWithSecret,
  showsSecret: true,
  async run(context) {
    const { id } = context.parent(webhookParent);
    const secret = newWebhookSecret();
    const { workspaceId } = context.person();
    const sealed = context.services.vault.seal(secret, webhookSecretPlace(workspaceId, id));
    await rotateSecret(context.em, id, sealed, BOTH_FOR_HOURS);
    return { ...(await readBack(context.em, workspaceId, id)), secret };
  },
});
