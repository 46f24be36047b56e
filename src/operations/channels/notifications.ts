import {
  channelMessage,
  type NotificationsResource,
  notifications,
  notificationsInput,
} from '../../contract/channel.ts';
import { type ChannelView, findOwnChannel, insertChannel, updateChannel } from '../../db/channels/channels.ts';
import { findMembership } from '../../db/system/people.ts';
import { NO_MAIL_THERE } from '../../domain/messages/mail-addresses.ts';
import { hasAgreed } from '../../services/messages/agreement.ts';
import { isMailed } from '../../services/messages/is-mailed.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { checkSubscriptions, presentStanding } from './channel.ts';
import { enqueueTry, sendTest } from './test-channel.ts';

export const getNotifications = defineOperation({
  id: 'getNotifications',
  surface: 'app',
  method: 'GET',
  path: '/app/me/notifications',
  scope: 'person',
  tag: 'Channels',
  summary: 'Read what you are told of by e-mail',
  description: 'In the workspace of this session. Nobody is written to who has not asked for it.',
  response: notifications,
  run: (context) => present(context),
});

export const setNotifications = defineOperation({
  id: 'setNotifications',
  surface: 'app',
  method: 'PUT',
  path: '/app/me/notifications',
  scope: 'person',
  role: 'viewer',
  tag: 'Channels',
  summary: 'Choose what you are told of by e-mail',
  description:
    'At your own address, in the workspace of this session. Of assignments you hear when an issue is given to you, and of comments on issues that you look after or commented on.',
  body: notificationsInput,
  response: notifications,
  async run(context, { body }) {
    if (Object.keys(body).length === 0) throw new Failure('invalid_body', 'Name at least one thing to change.');
    await checkSubscriptions(context, body.subscriptions ?? [], 'email');
    await updateChannel(context.em, await ownChannelId(context), body);
    return present(context);
  },
});

export const testNotifications = defineOperation({
  id: 'testNotifications',
  surface: 'app',
  method: 'POST',
  path: '/app/me/notifications/test',
  scope: 'person',
  role: 'viewer',
  tag: 'Channels',
  summary: 'Send yourself one message now',
  description: 'Tried once, at once; the answer says what the server said.',
  response: channelMessage,
  transaction: false,
  refuses: ['delivery_refused'],
  async run(context) {
    const channel = await findOwnChannel(context.em, context.person());
    if (channel === null) throw new Failure('delivery_refused', 'Choose first what you want to be told of.');
    const { unavailable, waitsForReader } = await present(context);
    if (unavailable !== null && !waitsForReader) throw new Failure('delivery_refused', unavailable);
    return sendTest(context, channel, (await requireMember(context)).email);
  },
});

async function ownChannelId(context: Context): Promise<string> {
  const { workspaceId, personId } = context.person();
  const own = await findOwnChannel(context.em, { workspaceId, personId });
  if (own !== null) return own.id;
  const made = { workspaceId, kind: 'email', personId, name: 'E-mail', shownAddress: '', sealedAddress: null } as const;
  const id = await insertChannel(context.em, { ...made, threads: true, subscriptions: [], createdBy: personId }, 1);
  const channel = await findOwnChannel(context.em, { workspaceId, personId });
  if (id === null || channel === null) {
    throw new Error('A channel of a person is not counted among those of the workspace.');
  }
  if ((await present(context)).waitsForReader) {
    await enqueueTry(context, context.em, channel, (await requireMember(context)).email);
  }
  return id;
}

async function requireMember(context: Context) {
  const member = await findMembership(context.em, context.person());
  if (!member) throw new Failure('invalid_token', 'You no longer belong to this workspace. Sign in again.');
  return member;
}

const NONE: Pick<
  ChannelView,
  'kind' | 'subscriptions' | 'enabled' | 'offReason' | 'failingSince' | 'pending' | 'agreed'
> = {
  kind: 'email',
  subscriptions: [],
  enabled: true,
  offReason: null,
  failingSince: null,
  pending: 0,
  agreed: null,
};

async function present(context: Context): Promise<NotificationsResource> {
  const member = await requireMember(context);
  const { em, services, person } = context;
  const own = await findOwnChannel(em, person());
  const isAgreed = own !== null && (await hasAgreed(em, services.vault, own, member.email));
  // Nobody is asked who asked for nothing.
  const shown = presentStanding(services, { ...(own ?? NONE), agreed: own === null || isAgreed ? '*' : null });
  const isWrittenTo = await isMailed(em, services.mailDomains, person().workspaceId, member.email);
  const isRefused = !isWrittenTo && (shown.unavailable === null || shown.waitsForReader);
  return {
    object: 'notifications',
    email: member.email,
    ...shown,
    ...(isRefused ? { unavailable: NO_MAIL_THERE, waitsForReader: false } : {}),
  };
}
