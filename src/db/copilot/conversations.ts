import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import type { Row } from '../tables.ts';

/** Whose conversations are meant: a person's own, in one workspace. */
export interface Asker {
  workspaceId: string;
  personId: string;
}

export type ConversationView = Row<'copilot_conversations'>;
export type MessageView = Row<'copilot_messages'>;

export async function insertConversation(
  em: EntityManager,
  made: Asker & { agentId: string },
): Promise<ConversationView> {
  const { workspaceId, personId, agentId } = made;
  return db(em)
    .insertInto('copilot_conversations')
    .values({ id: newId(), workspaceId, personId, agentId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const own = (em: EntityManager, { workspaceId, personId }: Asker, agentId: string) =>
  db(em)
    .selectFrom('copilot_conversations')
    .where('workspaceId', '=', workspaceId)
    .where('personId', '=', personId)
    .where('agentId', '=', agentId)
    .selectAll();

export async function findConversation(
  em: EntityManager,
  asker: Asker,
  { agentId, id }: { agentId: string; id: string },
): Promise<ConversationView | null> {
  return (await own(em, asker, agentId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Newest first; the order never changes. */
export function listConversations(
  em: EntityManager,
  asker: Asker,
  agentId: string,
  page: ListPage,
): Promise<ConversationView[]> {
  const conversations = own(em, asker, agentId);
  return newestFirst(conversations, ['createdAt', 'id'], page).execute();
}

/** The newest messages, oldest first. */
export async function readMessages(em: EntityManager, conversationId: string, limit: number): Promise<MessageView[]> {
  const newest = await db(em)
    .selectFrom('copilot_messages')
    .where('conversationId', '=', conversationId)
    .selectAll()
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return newest.toReversed();
}

export async function findMessage(em: EntityManager, messageId: string): Promise<MessageView | null> {
  const found = db(em).selectFrom('copilot_messages').where('id', '=', messageId).selectAll();
  return (await found.executeTakeFirst()) ?? null;
}

export async function newestAnswer(em: EntityManager, conversationId: string): Promise<MessageView | null> {
  const newest = db(em)
    .selectFrom('copilot_messages')
    .where('conversationId', '=', conversationId)
    .where('role', '=', 'copilot')
    .selectAll()
    .orderBy('position', 'desc')
    .limit(1);
  return (await newest.executeTakeFirst()) ?? null;
}

/** The answer that is being made for a person, whichever conversation it belongs to. */
export async function answerGoingOn(em: EntityManager, { workspaceId, personId }: Asker): Promise<MessageView | null> {
  const going = db(em)
    .selectFrom('copilot_messages')
    .where('workspaceId', '=', workspaceId)
    .where('personId', '=', personId)
    .where('state', '=', 'answering')
    .selectAll();
  return (await going.executeTakeFirst()) ?? null;
}

const TITLE_AT_MOST = 120;

/** Holds the conversation until the transaction ends. @returns the position that its next message has. */
export async function nextPosition(em: EntityManager, conversation: ConversationView, text: string): Promise<number> {
  const firstLine = text.trim().split('\n', 1)[0] ?? '';
  await db(em)
    .updateTable('copilot_conversations')
    .where('id', '=', conversation.id)
    .set((eb) => ({
      updatedAt: now,
      title: eb
        .case()
        .when('title', '=', '')
        .then(firstLine.slice(0, TITLE_AT_MOST).toWellFormed())
        .else(eb.ref('title'))
        .end(),
    }))
    .execute();
  const { last } = await db(em)
    .selectFrom('copilot_messages')
    .where('conversationId', '=', conversation.id)
    .select(({ fn, val }) => fn.coalesce(fn.max('position'), val(0)).as('last'))
    .executeTakeFirstOrThrow();
  return last + 1;
}
