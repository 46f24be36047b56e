import { defineEntity, p } from '@mikro-orm/core';
import type { CardInput, Citation, Read } from '../../domain/copilot/copilot.ts';
import {
  CARD_STATES,
  COPILOT_EVENT_KINDS,
  COPILOT_MESSAGE_ROLES,
  COPILOT_MESSAGE_STATES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** A person's conversation about an agent; nobody else sees it. */
export const CopilotConversation = defineEntity({
  name: 'CopilotConversation',
  tableName: 'copilot_conversations',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    personId: p.uuid(),
    /** Begins as the first question. */
    title: p.string().length(200).default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'copilot_conversations_person', properties: ['agentId', 'personId', 'createdAt', 'id'] }],
});

/** A question, or the answer to the one before. */
export const CopilotMessage = defineEntity({
  name: 'CopilotMessage',
  tableName: 'copilot_messages',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    conversationId: p.uuid(),
    personId: p.uuid(),
    /** From 1, without gaps. */
    position: p.integer(),
    role: p.enum(COPILOT_MESSAGE_ROLES),
    state: p.enum(COPILOT_MESSAGE_STATES),
    text: p.text().default(''),
    reads: p.json<Read[]>().defaultRaw(`'[]'`),
    citations: p.json<Citation[]>().defaultRaw(`'[]'`),
    /** Why it failed. */
    problemCode: p.text().nullable(),
    problem: p.text().nullable(),
    /** Somebody wants it to end. */
    stopAsked: p.boolean().default(false),
    /** When the process that makes the answer was last heard of. */
    beatAt: time().defaultRaw('now()'),
    createdAt: createdAt(),
    finishedAt: time().nullable(),
  },
  uniques: [{ name: 'copilot_messages_position', properties: ['conversationId', 'position'] }],
  indexes: [
    {
      name: 'copilot_messages_answering',
      expression: `create unique index "copilot_messages_answering" on "copilot_messages" ("workspace_id", "person_id") where "state" = 'answering'`,
    },
  ],
});

/** How an answer came about, for those who follow it; kept for a day. */
export const CopilotEvent = defineEntity({
  name: 'CopilotEvent',
  tableName: 'copilot_events',
  ...fencedApart,
  primaryKeys: ['conversationId', 'id'],
  properties: {
    conversationId: p.uuid().primary(),
    /** The position of the answer, times a million, and a number that counts up. */
    id: p.bigint('number').primary(),
    workspaceId: p.uuid(),
    kind: p.enum(COPILOT_EVENT_KINDS),
    data: p.json<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'copilot_events_age', properties: ['workspaceId', 'createdAt'] }],
});

/** A change that the model proposed and a person decides. */
export const CopilotCard = defineEntity({
  name: 'CopilotCard',
  tableName: 'copilot_cards',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    conversationId: p.uuid(),
    messageId: p.uuid(),
    /** The operationId. */
    operation: p.text(),
    input: p.json<CardInput>(),
    summary: p.text(),
    /** Of operation and input, as they were proposed. */
    digest: p.text(),
    state: p.enum(CARD_STATES).default('proposed'),
    /** How often it was tried; part of the key under which the work is done once. */
    tries: count(),
    claimedAt: time().nullable(),
    /** HTTP status of what was confirmed, and the id of what it made or changed. */
    status: p.integer().nullable(),
    madeId: p.text().nullable(),
    createdAt: createdAt(),
    decidedAt: time().nullable(),
  },
  indexes: [{ name: 'copilot_cards_conversation', properties: ['conversationId', 'id'] }],
});
