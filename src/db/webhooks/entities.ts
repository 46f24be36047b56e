import { defineEntity, p } from '@mikro-orm/core';
import { DELIVERY_EVENTS, DELIVERY_STATES, ENDPOINT_KINDS, type WebhookEvent } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** An address that is told of events of a workspace, or of one agent; what a channel to people is besides stands in `channels`. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  ...fencedApart,
  properties: {
    id: id(),
    kind: p.enum(ENDPOINT_KINDS).default('webhook'),
    workspaceId: p.uuid(),
    /** Null: every agent of the workspace. */
    agentId: p.uuid().nullable(),
    url: p.text(),
    events: p.array().$type<WebhookEvent[]>(),
    /** Sealed; the newest signs first. */
    sealedSecret: p.text(),
    /** Signs beside the newest until it ends, so that a receiver can change over. */
    sealedPreviousSecret: p.text().nullable(),
    previousSecretEndsAt: time().nullable(),
    enabled: p.boolean().default(true),
    /** Why it was switched off by itself, in words. */
    offReason: p.text().nullable(),
    /** Since when nothing got through; null while it works. */
    failingSince: time().nullable(),
    createdBy: p.uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: time().nullable(),
  },
  indexes: [{ name: 'webhooks_workspace', properties: ['workspaceId', 'createdAt', 'id'] }],
});

/** One event for one address: written with the state change that it tells of, kept as the log. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  ...fencedApart,
  properties: {
    /** The `webhook-id` of every try. */
    id: id(),
    workspaceId: p.uuid(),
    webhookId: p.uuid(),
    agentId: p.uuid().nullable(),
    event: p.enum(DELIVERY_EVENTS),
    /** What it tells of, such as `run:<id>/0`: the same event reaches an address once. */
    eventKey: p.text(),
    /** The exact bytes that are sent; null once they are deleted by age, and for a channel until its first try. */
    body: p.text().nullable(),
    state: p.enum(DELIVERY_STATES).default('pending'),
    /** Over all rounds; numbers the tries. */
    tries: count(),
    /** Times that somebody had it sent again after it had ended; each round has its own workflow, gaps and patience. */
    again: count(),
    roundTries: count(),
    roundBeganAt: time().defaultRaw('now()'),
    lastTriedAt: time().nullable(),
    nextTryAt: time().nullable(),
    lastStatus: p.integer().nullable(),
    /** In words. */
    lastError: p.text().nullable(),
    deliveredAt: time().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'webhook_deliveries_event', properties: ['webhookId', 'event', 'eventKey'] }],
  indexes: [
    { name: 'webhook_deliveries_log', properties: ['webhookId', 'createdAt', 'id'] },
    {
      name: 'webhook_deliveries_pending',
      expression: `create index "webhook_deliveries_pending" on "webhook_deliveries" ("webhook_id", "next_try_at") where "state" = 'pending'`,
    },
  ],
});

/** One try of a delivery. */
export const WebhookTry = defineEntity({
  name: 'WebhookTry',
  tableName: 'webhook_tries',
  ...fencedApart,
  primaryKeys: ['deliveryId', 'try'],
  properties: {
    deliveryId: p.uuid().primary(),
    try: p.integer().primary(),
    workspaceId: p.uuid(),
    status: p.integer().nullable(),
    error: p.text().nullable(),
    durationMs: p.integer(),
    at: time().defaultRaw('now()'),
  },
});
