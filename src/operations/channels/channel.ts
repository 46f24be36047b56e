import type { ChannelMessageResource, ChannelResource } from '../../contract/channel.ts';
import { type ChannelView, findChannel } from '../../db/channels/channels.ts';
import { findMessage, type MessageView } from '../../db/channels/message-log.ts';
import type { EntityManager } from '../../db/database.ts';
import { NO_MAIL_THERE, WAITS_FOR_OWNER } from '../../domain/messages/mail-addresses.ts';
import { isPagedEvent, isPager } from '../../domain/messages/page.ts';
import type { Subscription } from '../../domain/messages/subscription.ts';
import { type ChannelKind, PAGED_EVENTS } from '../../domain/vocabulary.ts';
import { REFUSED } from '../../services/messages/agreement.ts';
import { isMailed } from '../../services/messages/is-mailed.ts';
import { Failure } from '../failure.ts';
import type { Context, Parent } from '../operation.ts';
import type { Services } from '../services.ts';
import { checkAgent } from '../webhooks/webhook.ts';

export const channelParent: Parent<ChannelView> = {
  param: 'channelId',
  notFound: 'channel_not_found',
  format: 'uuid',
  async load(em, id, { principal }) {
    return principal.kind === 'person' ? findChannel(em, principal.workspaceId, id) : null;
  },
};

/** Within the workspace in scope; whoever uses it holds it against the channel of the path with `messageOf`. */
export const messageParent: Parent<MessageView> = {
  param: 'messageId',
  notFound: 'delivery_not_found',
  format: 'uuid',
  async load(em, id, { principal }) {
    return principal.kind === 'person' ? findMessage(em, id) : null;
  },
};

/** @throws Failure where the message of the path belongs to another channel than that of the path. */
export function messageOf(context: Context): MessageView {
  const message = context.parent(messageParent);
  if (message.webhookId !== context.parent(channelParent).id) {
    throw new Failure('delivery_not_found', 'There is no message like this here.');
  }
  return message;
}

const MAIL_IS_OFF = 'E-mail is off: the operator has set no EARSHOT_SMTP_URL and EARSHOT_MAIL_FROM.';

/** @returns why nothing can be sent by a kind of channel; null where it can. */
export const unavailable = ({ sendsMail }: Services, kind: ChannelKind): string | null =>
  kind === 'email' && !sendsMail ? MAIL_IS_OFF : null;

/** @throws Failure where nothing can be sent this way. */
export function checkAvailable(services: Services, kind: ChannelKind): void {
  const reason = unavailable(services, kind);
  if (reason !== null) throw new Failure('delivery_refused', reason);
}

/** @throws Failure where the operator's mail server is not to write to an address. */
export async function checkMailAddress({ em, services, person }: Context, address: string): Promise<void> {
  if (await isMailed(em, services.mailDomains, person().workspaceId, address)) return;
  throw new Failure('invalid_parameter', `address: ${NO_MAIL_THERE}`, { param: 'address' });
}

/** @throws Failure where a subscription names an agent that tells no channel here. */
export async function checkSubscriptions(
  context: Context,
  given: readonly Subscription[],
  kind: ChannelKind,
): Promise<void> {
  if (isPager(kind) && given.some((one) => !isPagedAtOnce(one))) {
    const message = `subscriptions: it is told at once, without a digest or quiet hours, of ${PAGED_EVENTS.join(', ')}.`;
    throw new Failure('invalid_body', message, { param: 'subscriptions' });
  }
  for (const agentId of new Set(given.map((one) => one.agentId))) await checkAgent(context, agentId);
}

const isPagedAtOnce = ({ events, quietHours, digest }: Subscription) =>
  events.every(isPagedEvent) && quietHours === null && digest.every === 'immediate';

export function presentChannel(services: Services, view: ChannelView): ChannelResource {
  const { id, kind, name, shownAddress: address, createdAt, updatedAt } = view;
  return { object: 'channel', id, kind, name, address, ...presentStanding(services, view), createdAt, updatedAt };
}

/** How a channel does, whoever's it is. */
export function presentStanding(
  services: Services,
  view: Pick<ChannelView, 'kind' | 'subscriptions' | 'enabled' | 'offReason' | 'failingSince' | 'pending' | 'agreed'>,
) {
  const { kind, subscriptions, enabled, offReason, failingSince, pending, agreed } = view;
  const away = unavailable(services, kind);
  const waitsForReader = away === null && kind === 'email' && (agreed === null || agreed.startsWith(REFUSED));
  const why = waitsForReader ? WAITS_FOR_OWNER : away;
  return { subscriptions, enabled, unavailable: why, waitsForReader, offReason, failingSince, pending };
}

export function presentMessage(view: MessageView): ChannelMessageResource {
  const { id, webhookId: channelId, event, state, subject, tries, lastStatus, lastError } = view;
  const { lastTriedAt, nextTryAt, deliveredAt, createdAt } = view;
  const what = { id, channelId, event, state, subject, tries, lastStatus, lastError };
  return { object: 'channel_message', ...what, lastTriedAt, nextTryAt, deliveredAt, createdAt };
}

export async function readBack(context: Context, em: EntityManager, id: string): Promise<ChannelResource> {
  const found = await findChannel(em, context.person().workspaceId, id);
  if (!found) throw new Error('A channel that was just written is not there.');
  return presentChannel(context.services, found);
}
