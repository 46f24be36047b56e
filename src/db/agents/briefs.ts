import { sql } from 'kysely';
import { type Brief, EMPTY_BRIEF } from '../../domain/versions/brief.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';

export interface BriefView {
  brief: Brief | null;
  /** Why there is none yet, or what it waits for. */
  message: string | null;
}

export async function findBrief(em: EntityManager, agentId: string): Promise<BriefView> {
  const found = db(em).selectFrom('agents').where('id', '=', agentId).select(['brief', 'briefMessage as message']);
  return (await found.executeTakeFirst()) ?? { brief: null, message: null };
}

/** Begins a reading of the agent's configuration. @returns which reading it is. */
export async function beginBrief(em: EntityManager, agentId: string): Promise<number> {
  const briefMessage = 'The configuration is being read at the platform.';
  const begun = await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set((eb) => ({ briefReads: eb('briefReads', '+', 1), updatedAt: now, briefMessage }))
    .returning('briefReads')
    .executeTakeFirst();
  return begun?.briefReads ?? 0;
}

interface Reading {
  agentId: string;
  read: number;
}

/** What a reading of the configuration came to. Nothing, once a newer reading was ordered or a person has decided. */
export async function storeBrief(
  em: EntityManager,
  { agentId, read, brief }: Reading & { brief: Brief },
): Promise<void> {
  await reading(em, agentId, read)
    .set({ brief: json(brief), briefMessage: null })
    .execute();
}

/** Writes what a reading came to; an agent that was only connected is now before its brief. */
const reading = (em: EntityManager, agentId: string, read: number) =>
  db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .where('briefReads', '=', read)
    .set((eb) => ({
      updatedAt: now,
      onboardingStep: eb
        .case()
        .when('onboardingStep', '=', 'connect')
        .then('brief' as const)
        .else(eb.ref('onboardingStep'))
        .end(),
    }));

export async function noteBrief(
  em: EntityManager,
  { agentId, read, message }: Reading & { message: string },
): Promise<void> {
  await reading(em, agentId, read).set({ briefMessage: message }).execute();
}

/** Parts that are not given stay as they are. */
type BriefChange = { [Part in keyof Brief]?: Brief[Part] | undefined };

/**
 * A person's own words; a reading that is still on its way no longer replaces them. Only the given parts change, so that
 * two people who edit different parts at once keep both.
 * @param begun what is changed where no brief is kept yet.
 */
export async function editBrief(
  em: EntityManager,
  agentId: string,
  given: BriefChange,
  begun: Brief | null = null,
): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set((eb) => ({
      brief: sql<Brief>`coalesce(brief, ${json(begun ?? EMPTY_BRIEF)}) || ${json(given)}`,
      briefMessage: null,
      briefReads: eb('briefReads', '+', 1),
      updatedAt: now,
    }))
    .execute();
}

/** What was kept goes, so that the brief is what the agent's text and calls say now. */
export async function forgetBrief(em: EntityManager, agentId: string): Promise<void> {
  await db(em).updateTable('agents').where('id', '=', agentId).set({ brief: null, updatedAt: now }).execute();
}

/** @returns false where the brief was approved before. */
export async function rejectBrief(em: EntityManager, agentId: string): Promise<boolean> {
  return decide(em, agentId, 'rejected');
}

/** @returns false where somebody has approved it already, perhaps at this very moment. */
export async function approveBrief(em: EntityManager, agentId: string): Promise<boolean> {
  return decide(em, agentId, 'approved');
}

async function decide(em: EntityManager, agentId: string, setupStatus: 'approved' | 'rejected'): Promise<boolean> {
  const decided = await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .where('setupStatus', '<>', 'approved')
    .set({ setupStatus, updatedAt: now })
    .returning('id')
    .executeTakeFirst();
  return decided !== undefined;
}
