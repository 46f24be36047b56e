import { channel, type NewChannelInput, newChannel } from '../../contract/channel.ts';
import { findChannel, insertChannel } from '../../db/channels/channels.ts';
import { channelAddressPlace } from '../../db/secrets/sealed-places.ts';
import { isProvedMemberAt } from '../../db/system/members.ts';
import type { ChannelAddress } from '../../domain/messages/address.ts';
import { newId } from '../../ids.ts';
import { agreementOf } from '../../services/messages/agreement.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { checkAddress } from '../webhooks/webhook.ts';
import { checkAvailable, checkMailAddress, checkSubscriptions, readBack } from './channel.ts';
import { enqueueTry } from './test-channel.ts';

const MOST_OF_A_WORKSPACE = 20;

export const createChannel = defineOperation({
  id: 'createChannel',
  surface: 'app',
  method: 'POST',
  path: '/app/channels',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Have people told of events in Slack, by e-mail, or by a service that calls them',
  description:
    'A Slack channel takes the address of an incoming webhook, or the token of a bot and a conversation; PagerDuty the integration key of a service, Opsgenie the key of an API integration. Mail goes to addresses that members proved, and to domains that the operator names once whoever reads the address agreed by a link that is sent there. Addresses and tokens are kept sealed and never shown again. A workspace has at most 20 channels besides those of its members.',
  body: newChannel,
  response: channel,
  // Its address is resolved first, which may take seconds: not with a transaction open.
  transaction: false,
  refuses: ['delivery_refused'],
  async run(context, { body }) {
    const { workspaceId, personId } = context.person();
    checkAvailable(context.services, body.kind);
    await checkSubscriptions(context, body.subscriptions, body.kind);
    const { address, shownAddress } = await readAddress(context, body);
    const { kind, name, subscriptions } = body;
    const id = newId();
    const made = {
      id,
      workspaceId,
      kind,
      personId: null,
      name,
      shownAddress,
      subscriptions,
      createdBy: personId,
      sealedAddress: context.services.vault.seal(JSON.stringify(address), channelAddressPlace(workspaceId, id)),
      // A mail names those before it; of Slack's ways only a bot learns what to post beneath.
      threads: address.by !== 'incoming_webhook',
    };
    const isKnown =
      address.by === 'email' && (await isProvedMemberAt(context.em, workspaceId, address.to.toLowerCase()));
    const agreed = isKnown ? agreementOf(context.services.vault, made, address.to) : null;
    return context.em.transactional(async (em) => {
      if ((await insertChannel(em, { ...made, agreed }, MOST_OF_A_WORKSPACE)) === null) {
        throw new Failure('invalid_body', `A workspace has at most ${MOST_OF_A_WORKSPACE} channels. Delete one first.`);
      }
      const channel = await findChannel(em, workspaceId, id);
      if (channel && address.by === 'email' && !isKnown) await enqueueTry(context, em, channel, address.to);
      await context.audited(em, { id });
      return context.kept(em, await readBack(context, em, id));
    });
  },
});

async function readAddress(
  context: Context,
  body: NewChannelInput,
): Promise<{ address: ChannelAddress; shownAddress: string }> {
  if (body.kind === 'email') {
    await checkMailAddress(context, body.address);
    return { address: { by: 'email', to: body.address }, shownAddress: body.address };
  }
  if ('url' in body) {
    await checkAddress(context, body.url);
    return { address: { by: 'incoming_webhook', url: body.url }, shownAddress: new URL(body.url).host };
  }
  const apiUrl = body.apiUrl.replace(/(?<!\/)\/+$/, '');
  await checkAddress(context, apiUrl, 'apiUrl');
  const { host } = new URL(apiUrl);
  if (body.kind === 'pagerduty') {
    return { address: { by: 'pagerduty', routingKey: body.routingKey, apiUrl }, shownAddress: host };
  }
  if (body.kind === 'opsgenie') {
    return { address: { by: 'opsgenie', apiKey: body.apiKey, apiUrl }, shownAddress: host };
  }
  const { token, conversation } = body;
  return {
    address: { by: 'bot', token, conversation, apiUrl },
    shownAddress: `${conversation} at ${host}`,
  };
}
