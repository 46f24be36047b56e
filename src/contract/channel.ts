import { z } from 'zod';
import { isTimeZone } from '../domain/messages/local-time.ts';
import type { Subscription } from '../domain/messages/subscription.ts';
import {
  CHANNEL_KINDS,
  DELIVERY_EVENTS,
  DELIVERY_STATES,
  MESSAGE_EVENTS,
  SEVERITIES,
  WEEKDAYS,
} from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';
import { plainText } from './text.ts';
import { tryLog } from './try-log.ts';

const SUBSCRIPTIONS_AT_MOST = 20;

const hour = z.int().min(0).max(23);
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

const digest = z
  .union([
    z.strictObject({ every: z.literal('immediate') }),
    z.strictObject({ every: z.literal('daily'), hour }),
    z.strictObject({ every: z.literal('weekly'), hour, day: z.enum(WEEKDAYS) }),
  ])
  .describe('At once, or all together at an hour of the day or of one day a week.');

const quietHours = z
  .strictObject({ from: clock, to: clock })
  .refine(({ from, to }) => from !== to, 'must not begin when they end')
  .describe('What happens within waits until they end, such as from 22:00 to 07:00.');

const timeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, 'must be a name of the IANA time zone database, such as Europe/Berlin');

const events = z
  .array(z.enum(MESSAGE_EVENTS))
  .min(1)
  .max(MESSAGE_EVENTS.length)
  .refine((given) => new Set(given).size === given.length, 'must name each event once');

const subscriptionInput = z
  .strictObject({
    events,
    minSeverity: z
      .enum(SEVERITIES)
      .nullish()
      .describe('Issues below it are left out. What has no severity always passes.'),
    agentId: uuid.nullish().describe('Left out or null: every agent of the workspace.'),
    timeZone: timeZone.default('UTC'),
    quietHours: quietHours.nullish(),
    digest: digest.default({ every: 'immediate' }),
  })
  .transform(
    ({ minSeverity, agentId, quietHours: quiet, ...given }): Subscription => ({
      ...given,
      minSeverity: minSeverity ?? null,
      agentId: agentId?.toLowerCase() ?? null,
      quietHours: quiet ?? null,
    }),
  );

const subscriptionsInput = z.array(subscriptionInput).max(SUBSCRIPTIONS_AT_MOST);

const subscription = z
  .strictObject({
    events: z.array(z.enum(MESSAGE_EVENTS)),
    minSeverity: z.enum(SEVERITIES).nullable(),
    agentId: uuid.nullable(),
    timeZone: z.string(),
    quietHours: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
    digest,
  })
  .meta({ id: 'Subscription', description: 'Of what a channel is told, and when.' });

const name = plainText(1, 100);
const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

export const newChannel = z
  .union([
    z.strictObject({
      kind: z.literal('slack'),
      name,
      url: webAddress.describe('An incoming webhook of Slack, or of what imitates one.'),
      subscriptions: subscriptionsInput.min(1),
    }),
    z.strictObject({
      kind: z.literal('slack'),
      name,
      token: z
        .string()
        .regex(/^[A-Za-z0-9._-]{10,300}$/, 'must be a token of a bot')
        .describe('Of a bot that may post (`chat:write`); updates then stand in the thread of their problem.'),
      conversation: z
        .string()
        .regex(/^[#@]?[\w.-]{1,80}$/, 'must be the id or the name of a conversation')
        .describe('Where it posts, such as C0123ABC or #alerts.'),
      apiUrl: webAddress.default('https://slack.com/api').describe("Slack's, unless another server speaks its API."),
      subscriptions: subscriptionsInput.min(1),
    }),
    z.strictObject({
      kind: z.literal('email'),
      name,
      address: z.email().max(320),
      subscriptions: subscriptionsInput.min(1),
    }),
    z.strictObject({
      kind: z.literal('pagerduty'),
      name,
      routingKey: z
        .string()
        .regex(/^[A-Za-z0-9]{32}$/, 'must be the integration key of a service')
        .describe('The integration key (Events API v2) of a service.'),
      apiUrl: webAddress.default('https://events.pagerduty.com').describe('Or https://events.eu.pagerduty.com.'),
      subscriptions: subscriptionsInput.min(1),
    }),
    z.strictObject({
      kind: z.literal('opsgenie'),
      name,
      apiKey: z
        .string()
        .regex(/^[A-Za-z0-9-]{20,100}$/, 'must be the key of an API integration')
        .describe('Of an API integration that may create and close alerts.'),
      apiUrl: webAddress.default('https://api.opsgenie.com').describe('Or https://api.eu.opsgenie.com.'),
      subscriptions: subscriptionsInput.min(1),
    }),
  ])
  .meta({ id: 'NewChannel' });
export type NewChannelInput = z.infer<typeof newChannel>;

export const channelChange = z.strictObject({
  name: name.optional(),
  subscriptions: subscriptionsInput.min(1).optional(),
  enabled: z.boolean().optional().describe('True switches it on again, with no record of failure.'),
});

export const mailAgreement = z
  .strictObject({
    object: z.literal('mail_agreement'),
    email: z.string(),
    workspaceName: z.string(),
    askedBy: z
      .strictObject({ name: z.string(), email: z.string(), emailVerified: z.boolean() })
      .nullable()
      .describe('Null where they are gone.'),
    agreed: z.boolean(),
  })
  .meta({ id: 'MailAgreement', description: 'Whether the reader of an address wants the messages of a channel.' });
export type MailAgreement = z.infer<typeof mailAgreement>;

const standing = {
  enabled: z.boolean(),
  unavailable: z.string().nullable().describe('Why nothing can be sent this way at all; null where it can.'),
  waitsForReader: z
    .boolean()
    .describe(
      'Whether that is because whoever reads the address has not agreed yet: a test sends them the link again.',
    ),
  offReason: z.string().nullable().describe('Why it was switched off by itself, and what to do.'),
  failingSince: timestamp.nullable().describe('Since when nothing got through; null while it works.'),
  pending: count.describe('Messages that are still to be sent.'),
};

export const channel = z
  .strictObject({
    object: z.literal('channel'),
    id: uuid,
    kind: z.enum(CHANNEL_KINDS),
    name: z.string(),
    address: z.string().describe('Of a secret address, what may be shown.'),
    subscriptions: z.array(subscription),
    ...standing,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Channel',
    examples: [
      {
        object: 'channel',
        id: '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12',
        kind: 'slack',
        name: '#voice-alerts',
        address: 'hooks.slack.com',
        subscriptions: [
          {
            events: ['issue.opened', 'watch.failing'],
            minSeverity: 'high',
            agentId: null,
            timeZone: 'Europe/Berlin',
            quietHours: { from: '22:00', to: '07:00' },
            digest: { every: 'immediate' },
          },
        ],
        enabled: true,
        unavailable: null,
        waitsForReader: false,
        offReason: null,
        failingSince: null,
        pending: 0,
        createdAt: '2026-03-02T09:15:04.120Z',
        updatedAt: '2026-03-02T09:15:04.120Z',
      },
    ],
  });
export type ChannelResource = z.infer<typeof channel>;

export const notificationsInput = z.strictObject({
  enabled: z.boolean().optional(),
  subscriptions: subscriptionsInput.optional(),
});

/** What a person is told of by e-mail. */
export const notifications = z
  .strictObject({
    object: z.literal('notifications'),
    email: z.string().describe("The person's own address of the moment."),
    subscriptions: z.array(subscription),
    ...standing,
  })
  .meta({ id: 'Notifications' });
export type NotificationsResource = z.infer<typeof notifications>;

export const messageSettings = z
  .strictObject({
    object: z.literal('message_settings'),
    quotesCalls: z.boolean().describe('Whether messages may quote what was said on a call.'),
  })
  .meta({ id: 'MessageSettings' });

export const messageSettingsInput = z.strictObject({ quotesCalls: z.boolean() });

const messageFields = {
  object: z.literal('channel_message'),
  id: uuid.describe('Named in the Message-ID of a mail.'),
  channelId: uuid,
  event: z.enum(DELIVERY_EVENTS).describe('`digest`: several events together; `test`: somebody tried the channel.'),
  state: z.enum(DELIVERY_STATES).describe('`pending` until it got through or was given up.'),
  subject: z.string().nullable().describe('Null before its first try, and once its words are deleted after 30 days.'),
  tries: count,
  lastStatus: z.int().nullable().describe('The HTTP or SMTP status of the last answer; null where there was none.'),
  lastError: z.string().nullable().describe('Why it did not get through, in words.'),
  lastTriedAt: timestamp.nullable(),
  nextTryAt: timestamp.nullable(),
  deliveredAt: timestamp.nullable(),
  createdAt: timestamp,
};

export const channelMessage = z.strictObject(messageFields).meta({ id: 'ChannelMessage' });
export type ChannelMessageResource = z.infer<typeof channelMessage>;

export const channelMessageWithTries = z
  .strictObject({
    ...messageFields,
    log: tryLog,
  })
  .meta({ id: 'ChannelMessageWithTries' });
