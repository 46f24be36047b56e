import { newWebhook, webhookWithSecret } from '../../contract/webhook.ts';
import { webhookSecretPlace } from '../../db/secrets/sealed-places.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import { newId } from '../../ids.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { checkAddress, checkAgent, newWebhookSecret, readBack } from './webhook.ts';

const MOST_OF_A_WORKSPACE = 20;

export const createWebhook = defineOperation({
  id: 'createWebhook',
  surface: 'app',
  method: 'POST',
  path: '/app/webhooks',
  scope: 'person',
  role: 'admin',
  tag: 'Webhooks',
  summary: 'Have events posted to an address',
  description:
    'Signed by Standard Webhooks with the secret of this answer, which is never shown again. The address must be public and https, unless the operator opened its network. A workspace has at most 20.',
  body: newWebhook,
  response: webhookWithSecret,
  showsSecret: true,
  // Its address is resolved first, which may take seconds: not with a transaction open.
  transaction: false,
  async run(context, { body }) {
    const { workspaceId, personId } = context.person();
    const agentId = await checkAgent(context, body.agentId);
    await checkAddress(context, body.url);
    const secret = newWebhookSecret();
    const { url, events } = body;
    const id = newId();
    const sealedSecret = context.services.vault.seal(secret, webhookSecretPlace(workspaceId, id));
    const made = { id, workspaceId, agentId, url, events, sealedSecret };
    return context.em.transactional(async (em) => {
      if ((await insertWebhook(em, { ...made, createdBy: personId }, MOST_OF_A_WORKSPACE)) === null) {
        throw new Failure('invalid_body', `A workspace has at most ${MOST_OF_A_WORKSPACE} webhooks. Delete one first.`);
      }
      await context.audited(em, { id });
      return context.kept(em, { ...(await readBack(em, workspaceId, id)), secret });
    });
  },
});
