import { defineEntity, p } from '@mikro-orm/core';
import type { JsonObject } from '../../domain/json.ts';
import type { Subscription } from '../../domain/messages/subscription.ts';
import { CHANNEL_KINDS, MESSAGE_EVENTS } from '../../domain/vocabulary.ts';
import { createdAt, id, time } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** Where messages for people go, beside its row in `webhooks`, which has its deliveries and says whether it works. */
export const Channel = defineEntity({
  name: 'Channel',
  tableName: 'channels',
  ...fencedApart,
  properties: {
    /** That of its row in `webhooks`. */
    id: id(),
    workspaceId: p.uuid(),
    kind: p.enum(CHANNEL_KINDS),
    /** Whose own it is: the person's e-mail address of the moment is written to. Null: the workspace's. */
    personId: p.uuid().nullable(),
    name: p.string().length(100),
    /** What may be shown of the address. */
    shownAddress: p.text(),
    /** The address with its secrets (`ChannelAddress`); null for a person's own. */
    sealedAddress: p.text().nullable(),
    /** Of mail: what its owner agreed by (`agreementOf`); `*`: an address from before that was asked; `no ` and that: they said no; null: neither yet. */
    agreed: p.text().nullable(),
    /** Whether an update can stand beneath the first message on its problem. */
    threads: p.boolean(),
    subscriptions: p.json<Subscription[]>(),
  },
  indexes: [
    {
      name: 'channels_person',
      expression: `create unique index "channels_person" on "channels" ("workspace_id", "person_id") where "person_id" is not null`,
    },
  ],
});

/** One event that a channel is told of; those that are told together wait here until their message takes them. */
export const Notice = defineEntity({
  name: 'Notice',
  tableName: 'notices',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    channelId: p.uuid(),
    agentId: p.uuid(),
    event: p.enum(MESSAGE_EVENTS),
    eventKey: p.text(),
    /** The problem that it belongs to. */
    thread: p.text(),
    facts: p.json<JsonObject>(),
    /** The message that tells of it; null until one takes it. */
    deliveryId: p.uuid().nullable(),
    dueAt: time(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'notices_event', properties: ['channelId', 'event', 'eventKey'] }],
  indexes: [
    { name: 'notices_delivery', properties: ['deliveryId'] },
    {
      name: 'notices_waiting',
      expression: `create index "notices_waiting" on "notices" ("channel_id", "due_at") where "delivery_id" is null`,
    },
  ],
});

/** The first message that a channel got on a problem; later ones stand beneath it. */
export const MessageThread = defineEntity({
  name: 'MessageThread',
  tableName: 'message_threads',
  ...fencedApart,
  primaryKeys: ['channelId', 'thread'],
  properties: {
    channelId: p.uuid().primary(),
    thread: p.text().primary(),
    workspaceId: p.uuid(),
    rootDeliveryId: p.uuid(),
    /** What the receiver calls that message; null where it has no name for it, or has not got it yet. */
    rootRef: p.text().nullable(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'message_threads_root', properties: ['rootDeliveryId'] }],
});

/** What holds for all messages of a workspace; a workspace without a row has what is written here. */
export const MessageSettings = defineEntity({
  name: 'MessageSettings',
  tableName: 'message_settings',
  ...fencedApart,
  primaryKeys: ['workspaceId'],
  properties: {
    workspaceId: p.uuid().primary(),
    /** Whether messages may quote what was said on a call. */
    quotesCalls: p.boolean().default(true),
  },
});
