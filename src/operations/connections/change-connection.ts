import { connection, connectionChange } from '../../contract/connection.ts';
import { beginCheck, holdsDemo, setWebhookSecret } from '../../db/connections/connections.ts';
import { hasFollowedAgents } from '../../db/imports/announced-calls.ts';
import { connectionKeyPlace, connectionSecretPlace } from '../../db/secrets/sealed-places.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { pollerOf } from '../../services/agents/poller-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { pollAccountEntry } from '../../temporal/account-poller.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { checkBaseUrl, connectionParent, orderCheck, readBack } from './connection.ts';

export const changeConnection = defineOperation({
  id: 'changeConnection',
  surface: 'app',
  method: 'PATCH',
  path: '/app/connections/{connectionId}',
  scope: 'person',
  role: 'admin',
  tag: 'Connections',
  summary: 'Give a connection another key or address, or try it again',
  description:
    'The platform is looked at anew, also for an empty body, and its agents are polled at once; a webhook secret alone changes only how events are checked. Imports use the new key from their next request on.',
  parents: [connectionParent],
  body: connectionChange,
  response: connection,
  async run(context, { body }) {
    const before = context.parent(connectionParent);
    const { id: connectionId } = before;
    const { workspaceId } = context.person();
    const { vault } = context.services;
    if (sendsCalls(before.platform)) {
      const message = `Calls of ${before.platform} are sent to Earshot with tokens: there is no key or address to change.`;
      throw new Failure('invalid_parameter', message, { param: 'connectionId' });
    }
    const param = (['apiKey', 'baseUrl'] as const).find((field) => body[field] !== undefined);
    if (param !== undefined && (await holdsDemo(context.em, connectionId))) {
      const message = `The demo's agents are reached by this connection, so its ${param} stays. Connect a platform of your own instead.`;
      throw new Failure('invalid_parameter', message, { param });
    }
    checkBaseUrl(body.baseUrl);
    if (body.baseUrl !== undefined && body.baseUrl !== before.baseUrl && body.apiKey === undefined) {
      const message =
        'Another baseUrl needs apiKey too: a stored key is sent to no address but the one it was given for.';
      throw new Failure('invalid_parameter', message, { param: 'apiKey' });
    }
    if (body.webhookSecret !== undefined) {
      const sealed =
        body.webhookSecret && vault.seal(body.webhookSecret, connectionSecretPlace(workspaceId, connectionId));
      await setWebhookSecret(context.em, connectionId, sealed);
      // Nothing else was given: the key and the address stand as they were looked at.
      if (body.apiKey === undefined && body.baseUrl === undefined) {
        return readBack(context.em, context.services, connectionId);
      }
    }
    const check = await beginCheck(context.em, connectionId, {
      ...(body.apiKey === undefined
        ? {}
        : { sealedKey: vault.seal(body.apiKey, connectionKeyPlace(workspaceId, connectionId)) }),
      ...(body.baseUrl === undefined ? {} : { baseUrl: body.baseUrl }),
    });
    await orderCheck(context.em, { workspaceId, connectionId, check });
    if (await hasFollowedAgents(context.em, connectionId)) {
      const account = { workspaceId, connectionId, platform: before.platform };
      const entry = pollAccountEntry(pollerOf(account, context.services.polling));
      await addToOutbox(context.em, { entry, workspaceId, agentId: null });
    }
    return readBack(context.em, context.services, connectionId);
  },
});
