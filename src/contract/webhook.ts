import { z } from 'zod';
import { DELIVERY_STATES, WEBHOOK_EVENTS } from '../domain/vocabulary.ts';
import { count, timestamp, uuid } from './common.ts';
import { tryLog } from './try-log.ts';

const url = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .describe('Where events are posted: https, at a public address.');
const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .refine((given) => new Set(given).size === given.length, 'must name each event once');

export const newWebhook = z.strictObject({
  url,
  events,
  agentId: uuid.nullish().describe('Events of this agent only; left out or null: of every agent of the workspace.'),
});

export const webhookChange = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  enabled: z.boolean().optional().describe('True switches it on again, with no record of failure.'),
  agentId: uuid.nullable().optional(),
});

const webhookFields = {
  object: z.literal('webhook'),
  id: uuid,
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  agentId: uuid.nullable().describe('Null: every agent of the workspace.'),
  enabled: z.boolean(),
  offReason: z.string().nullable().describe('Why it was switched off by itself, and what to do.'),
  failingSince: timestamp.nullable().describe('Since when nothing got through; null while it works.'),
  previousSecretEndsAt: timestamp.nullable().describe('Until when the secret before the newest one signs too.'),
  pending: count.describe('Deliveries that are still to get through.'),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const example = {
  object: 'webhook',
  id: '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12',
  url: 'https://ci.example.com/earshot',
  events: ['run.completed', 'issue.opened'],
  agentId: null,
  enabled: true,
  offReason: null,
  failingSince: null,
  previousSecretEndsAt: null,
  pending: 0,
  createdAt: '2026-03-02T09:15:04.120Z',
  updatedAt: '2026-03-02T09:15:04.120Z',
} as const;

export const webhook = z.strictObject(webhookFields).meta({ id: 'Webhook', examples: [example] });
export type WebhookResource = z.infer<typeof webhook>;

/** The answer to making a webhook or rotating its secret: the only places where a secret is ever shown. */
export const webhookWithSecret = z
  .strictObject({
    ...webhookFields,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .describe('Verifies signatures by Standard Webhooks.'),
  })
  .meta({
    id: 'WebhookWithSecret',
    examples: [{ ...example, secret: 'whsec_ZXhhbXBsZSBvZiBhIHNlY3JldCwgMzIgYnl0ZXMgbG8=' }],
  });

const deliveryFields = {
  object: z.literal('webhook_delivery'),
  id: uuid.describe('The `webhook-id` header of every try.'),
  webhookId: uuid,
  agentId: uuid.nullable(),
  event: z.enum(WEBHOOK_EVENTS),
  state: z
    .enum(DELIVERY_STATES)
    .describe('`pending` until it got through or was given up; `dropped` where the webhook was deleted before.'),
  tries: count,
  sentAgain: count.describe('Times that somebody had it sent again after it had ended.'),
  lastStatus: z.int().nullable().describe('What the receiver answered last; null where there was no answer.'),
  lastError: z.string().nullable().describe('Why it did not get through, in words.'),
  lastTriedAt: timestamp.nullable(),
  nextTryAt: timestamp.nullable(),
  deliveredAt: timestamp.nullable(),
  canBeSentAgain: z.boolean().describe('False once its body was deleted, after 30 days.'),
  createdAt: timestamp,
};

export const webhookDelivery = z.strictObject(deliveryFields).meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryResource = z.infer<typeof webhookDelivery>;

export const webhookDeliveryWithTries = z
  .strictObject({
    ...deliveryFields,
    log: tryLog,
  })
  .meta({ id: 'WebhookDeliveryWithTries' });

export const sentAgain = z.strictObject({ object: z.literal('sent_again'), count }).meta({ id: 'SentAgain' });
