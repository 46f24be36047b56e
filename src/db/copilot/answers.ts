import type { AnswerEnd, Citation, Read } from '../../domain/copilot/copilot.ts';
import type { CopilotEventKind } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { storable, storableText } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, clock, json, notify, now } from '../expressions.ts';
import type { NewRow } from '../tables.ts';
import type { Asker, ConversationView } from './conversations.ts';

/** Carries the id of the conversation in which something was said. */
export const COPILOT_CHANNEL = 'copilot_answers';

export interface AnswerKey {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  position: number;
}

export interface CopilotEventView {
  id: number;
  kind: CopilotEventKind;
  data: Record<string, unknown>;
}

/** Events of an answer are counted from its position: those of a later answer come later. */
const EVENTS_OF_A_POSITION = 1_000_000;
export const firstEventOf = (position: number): number => position * EVENTS_OF_A_POSITION;

/** A process that was not heard of for so long has ended. */
const DEAD_AFTER_SECONDS = 30;

/** A question with the beginning of its answer. @returns null while another answer to this person is going on. */
export async function insertQuestion(
  em: EntityManager,
  conversation: ConversationView,
  { position, text }: { position: number; text: string },
): Promise<AnswerKey | null> {
  const { id: conversationId, workspaceId, agentId, personId } = conversation;
  const common = { conversationId, workspaceId, agentId, personId };
  const question: NewRow<'copilot_messages'> = {
    ...common,
    id: newId(),
    position,
    role: 'person',
    state: 'done',
    text,
    finishedAt: now,
  };
  await db(em).insertInto('copilot_messages').values(question).execute();
  const answer: NewRow<'copilot_messages'> = {
    ...common,
    id: newId(),
    position: position + 1,
    role: 'copilot',
    state: 'answering',
  };
  const begun = await db(em)
    .insertInto('copilot_messages')
    .values(answer)
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'personId']).where('state', '=', 'answering').doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return begun ? { workspaceId, conversationId, messageId: begun.id, position: position + 1 } : null;
}

export interface Progress {
  events: CopilotEventView[];
  /** Words to add to the answer's. */
  text: string;
}

/** Keeps what was said since, and tells those who follow. @returns whether the answer may go on. */
export async function writeProgress(em: EntityManager, key: AnswerKey, { events, text }: Progress): Promise<boolean> {
  return em.transactional(async (tx) => {
    const going = await db(tx)
      .updateTable('copilot_messages')
      .where('id', '=', key.messageId)
      .where('state', '=', 'answering')
      .set((eb) => ({ beatAt: clock, text: eb(eb.ref('text'), '||', eb.val(storableText(text))) }))
      .returning('stopAsked')
      .executeTakeFirst();
    if (!going) return false;
    await insertEvents(tx, key, events);
    return !going.stopAsked;
  });
}

async function insertEvents(em: EntityManager, key: AnswerKey, events: readonly CopilotEventView[]): Promise<void> {
  if (events.length === 0) return;
  const { conversationId, workspaceId } = key;
  const rows = events.map(
    ({ id, kind, data }): NewRow<'copilot_events'> => ({
      conversationId,
      workspaceId,
      id,
      kind,
      data: json(storable(data)),
    }),
  );
  await db(em).insertInto('copilot_events').values(rows).execute();
  await notify(em, COPILOT_CHANNEL, conversationId);
}

/** The end of an answer, once. @returns false where it had ended before. */
export async function finishAnswer(
  em: EntityManager,
  key: AnswerKey,
  ended: AnswerEnd & { eventId: number; reads: readonly Read[]; citations: readonly Citation[] },
): Promise<boolean> {
  const { state, problem, eventId, reads, citations } = storable(ended);
  return em.transactional(async (tx) => {
    const finished = await db(tx)
      .updateTable('copilot_messages')
      .where('id', '=', key.messageId)
      .where('state', '=', 'answering')
      .set({
        state,
        problemCode: problem?.code ?? null,
        problem: problem?.message ?? null,
        reads: json([...reads]),
        citations: json([...citations]),
        finishedAt: clock,
      })
      .returning('id')
      .executeTakeFirst();
    if (!finished) return false;
    await insertEvents(tx, key, [{ id: eventId, kind: state === 'failed' ? 'error' : 'done', data: {} }]);
    await forgetOldEvents(tx, key.workspaceId);
    return true;
  });
}

async function forgetOldEvents(em: EntityManager, workspaceId: string): Promise<void> {
  await db(em)
    .deleteFrom('copilot_events')
    .where('workspaceId', '=', workspaceId)
    .where('createdAt', '<', ago(1, 'days'))
    .execute();
}

/** Ends the answer of a person whose process has died; what was said of it stays. */
export async function settleDeadAnswer(em: EntityManager, { workspaceId, personId }: Asker): Promise<void> {
  const dead = await db(em)
    .updateTable('copilot_messages')
    .where('workspaceId', '=', workspaceId)
    .where('personId', '=', personId)
    .where('state', '=', 'answering')
    .where('beatAt', '<', ago(DEAD_AFTER_SECONDS, 'seconds'))
    .set({ state: 'failed', problemCode: 'interrupted', problem: INTERRUPTED, finishedAt: now })
    .returning(['conversationId', 'id as messageId', 'position'])
    .execute();
  for (const answer of dead) {
    const key = { ...answer, workspaceId };
    await insertEvents(em, key, [{ id: firstEventOf(answer.position + 1) - 1, kind: 'error', data: {} }]);
  }
}

export const INTERRUPTED = 'The process that made this answer ended. Ask again.';

/** @returns the answer that was asked to end; null where none is going on in this conversation. */
export async function askToStop(em: EntityManager, conversationId: string): Promise<string | null> {
  const asked = await db(em)
    .updateTable('copilot_messages')
    .where('conversationId', '=', conversationId)
    .where('state', '=', 'answering')
    .set({ stopAsked: true })
    .returning('id')
    .executeTakeFirst();
  return asked?.id ?? null;
}

/** Events of a conversation after a number, oldest first. */
export function readAnswerEvents(
  em: EntityManager,
  conversationId: string,
  after: number,
  limit: number,
): Promise<CopilotEventView[]> {
  return db(em)
    .selectFrom('copilot_events')
    .where('conversationId', '=', conversationId)
    .where('id', '>', after)
    .select(['id', 'kind', 'data'])
    .orderBy('id')
    .limit(limit)
    .execute();
}
