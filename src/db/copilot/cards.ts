import type { CardInput } from '../../domain/copilot/copilot.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';
import type { AnswerKey } from './answers.ts';
import type { Asker } from './conversations.ts';

export type CardView = Row<'copilot_cards'>;

export interface NewCard {
  operation: string;
  input: CardInput;
  summary: string;
  digest: string;
}

export async function insertCard(
  em: EntityManager,
  { workspaceId, conversationId, messageId }: AnswerKey,
  agentId: string,
  { operation, input, summary, digest }: NewCard,
): Promise<CardView> {
  return db(em)
    .insertInto('copilot_cards')
    .values({
      id: newId(),
      workspaceId,
      agentId,
      conversationId,
      messageId,
      operation,
      input: json(input),
      summary,
      digest,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A card of a person's own conversation about an agent. */
export async function findCard(
  em: EntityManager,
  { workspaceId, personId }: Asker,
  { agentId, id }: { agentId: string; id: string },
): Promise<CardView | null> {
  const found = db(em)
    .selectFrom('copilot_cards as k')
    .innerJoin('copilot_conversations as c', 'c.id', 'k.conversationId')
    .where('k.id', '=', id)
    .where('c.workspaceId', '=', workspaceId)
    .where('c.personId', '=', personId)
    .where('c.agentId', '=', agentId)
    .selectAll('k');
  return (await found.executeTakeFirst()) ?? null;
}

/** The newest cards, oldest first. */
export async function readCards(em: EntityManager, conversationId: string, limit: number): Promise<CardView[]> {
  const newest = await db(em)
    .selectFrom('copilot_cards')
    .where('conversationId', '=', conversationId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return newest.toReversed();
}

/** A confirmation that was not heard of for so long died over it. */
const CLAIM_SECONDS = 60;

/**
 * Takes a card to do what it proposes. One whose confirmation died is taken again as the same try, so that what was done
 * already is not done twice.
 * @returns null where somebody else has decided it, or is about to.
 */
export async function claimCard(em: EntityManager, id: string): Promise<CardView | null> {
  const claimed = await db(em)
    .updateTable('copilot_cards')
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'proposed'),
        eb.and([eb('state', '=', 'confirming'), eb('claimedAt', '<', ago(CLAIM_SECONDS, 'seconds'))]),
      ]),
    )
    .set((eb) => ({
      state: 'confirming',
      claimedAt: now,
      tries: eb
        .case()
        .when('state', '=', 'proposed')
        .then(eb('tries', '+', 1))
        .else(eb.ref('tries'))
        .end(),
    }))
    .returningAll()
    .executeTakeFirst();
  return claimed ?? null;
}

/** What was refused may be confirmed again, or dismissed. */
export async function releaseCard(em: EntityManager, id: string): Promise<void> {
  await db(em)
    .updateTable('copilot_cards')
    .where('id', '=', id)
    .where('state', '=', 'confirming')
    .set({ state: 'proposed', claimedAt: null })
    .execute();
}

export async function settleCard(
  em: EntityManager,
  id: string,
  { status, madeId }: { status: number; madeId: string | null },
): Promise<CardView> {
  return db(em)
    .updateTable('copilot_cards')
    .where('id', '=', id)
    .set({ state: 'confirmed', status, madeId, decidedAt: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** @returns null where it was decided before. */
export async function dismissCard(em: EntityManager, id: string): Promise<CardView | null> {
  const dismissed = await db(em)
    .updateTable('copilot_cards')
    .where('id', '=', id)
    .where('state', '=', 'proposed')
    .set({ state: 'dismissed', decidedAt: now })
    .returningAll()
    .executeTakeFirst();
  return dismissed ?? null;
}
