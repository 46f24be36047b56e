import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type MailAgreement, mailAgreement } from '../../contract/channel.ts';
import { setAgreed } from '../../db/channels/channels.ts';
import { type ChannelToTell, findChannelToTell } from '../../db/channels/load-message.ts';
import { channelAddressPlace } from '../../db/secrets/sealed-places.ts';
import { findCause } from '../../db/system/message-cause.ts';
import { actIn } from '../../db/system/scope.ts';
import type { ChannelAddress } from '../../domain/messages/address.ts';
import { agreementOf, hasAgreed, refusalOf } from '../../services/messages/agreement.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import type { Services } from '../services.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DIGEST = /^[A-Za-z0-9_-]{24}$/;

export const agreeToMessages = defineOperation({
  id: 'agreeToMessages',
  surface: 'app',
  method: 'POST',
  path: '/app/mail-agreements',
  scope: 'public',
  tag: 'Channels',
  summary: 'Agree to messages to an address',
  description:
    'By the link that was sent there, of which the secret is what stands behind the #. Without `agrees` it says who asks, and changes nothing. A no holds until a yes.',
  body: z.strictObject({
    secret: z.string().max(200).describe('What follows the # of the link.'),
    agrees: z.boolean().optional(),
  }),
  response: mailAgreement,
  refuses: ['link_not_found'],
  async run({ em, services }, { body }): Promise<MailAgreement> {
    const [workspaceId = '', id = '', given = ''] = body.secret.split('.');
    if (!UUID.test(workspaceId) || !UUID.test(id) || !DIGEST.test(given)) throw notFound();
    return actIn(em, workspaceId, async () => {
      const channel = await findChannelToTell(em, id);
      const address = channel && addressOf(services, channel);
      if (!channel || address === null) throw notFound();
      const agreement = agreementOf(services.vault, channel, address);
      if (!timingSafeEqual(Buffer.from(agreement), Buffer.from(given))) throw notFound();
      const { agrees } = body;
      if (agrees !== undefined) await setAgreed(em, id, agrees ? agreement : refusalOf(agreement));
      const { workspaceName, by } = await findCause(em, {
        workspaceId,
        personId: channel.createdBy,
        isOwn: channel.isOwn,
      });
      const agreed = agrees ?? (await hasAgreed(em, services.vault, channel, address));
      return { object: 'mail_agreement', email: address, workspaceName, askedBy: by, agreed };
    });
  },
});

function addressOf({ vault }: Services, { id, workspaceId, target }: ChannelToTell): string | null {
  if ('gone' in target) return null;
  if ('email' in target) return target.email;
  const address: ChannelAddress = JSON.parse(vault.open(target.sealedAddress, channelAddressPlace(workspaceId, id)));
  return address.by === 'email' ? address.to : null;
}

const notFound = () => new Failure('link_not_found', 'This link leads to no messages that somebody wants to send.');
