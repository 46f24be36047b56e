import { sql } from 'kysely';
import { afterTrouble, type ReaderStanding } from '../../domain/limits/reader-pause.ts';
import type { ReaderTrouble } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { after, clock, now } from '../expressions.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Why the reader of an agent pauses, and until when. */
export interface ReaderPause {
  trouble: ReaderTrouble;
  reason: string;
  since: string;
  nextTryAt: string;
  isDue: boolean;
}

const WELL: ReaderStanding = { troubles: 0, trouble: null, tries: 0 };

/** @returns null where it does not pause. */
export async function readPause(em: EntityManager, agentId: string): Promise<ReaderPause | null> {
  const row = await db(em)
    .selectFrom('model_readers')
    .where('agentId', '=', agentId)
    .select(['trouble', 'reason', 'pausedAt', 'nextTryAt'])
    .select((eb) => eb('nextTryAt', '<=', clock).as('isDue'))
    .executeTakeFirst();
  if (!row?.trouble || row.pausedAt === null || row.nextTryAt === null) return null;
  const { trouble, reason, pausedAt, nextTryAt, isDue } = row;
  return { trouble, reason: reason ?? '', since: pausedAt, nextTryAt, isDue: isDue === true };
}

/** A question brought nothing. @param isFirst whether it was the first about its call, so that a call counts once. */
export async function noteTrouble(
  em: EntityManager,
  { workspaceId, agentId }: Owner,
  of: { trouble: ReaderTrouble; reason: string; isFirst: boolean; isTry: boolean },
): Promise<ReaderStanding> {
  return em.transactional(async (tx) => {
    await db(tx)
      .insertInto('model_readers')
      .values({ agentId, workspaceId })
      .onConflict((conflict) => conflict.column('agentId').doNothing())
      .execute();
    const before = await db(tx)
      .selectFrom('model_readers')
      .where('agentId', '=', agentId)
      .select(['troubles', 'trouble', 'tries'])
      .forUpdate()
      .executeTakeFirst();
    const { gapMs, ...standing } = afterTrouble(before ?? WELL, of);
    await db(tx)
      .updateTable('model_readers')
      .where('agentId', '=', agentId)
      .set((eb) => ({
        ...standing,
        troubledSince: eb.fn.coalesce('troubledSince', clock),
        updatedAt: now,
        ...(gapMs !== null && {
          reason: of.reason,
          pausedAt: eb.fn.coalesce('pausedAt', clock),
          nextTryAt: after(clock, gapMs, 'milliseconds'),
        }),
      }))
      .execute();
    return standing;
  });
}

/**
 * Whoever gets it asks the one question that shows whether the model answers again; the others wait.
 * @returns false where it is not yet time, or somebody else asks.
 */
export async function claimTry(em: EntityManager, agentId: string): Promise<boolean> {
  const { numUpdatedRows } = await db(em)
    .updateTable('model_readers')
    .where('agentId', '=', agentId)
    .where('nextTryAt', '<=', clock)
    // Until the answer is noted nobody else asks; a process that dies over it holds the others up for so long.
    .set({ nextTryAt: after(clock, TRY_MS, 'milliseconds') })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Longer than a question may take. */
const TRY_MS = 180_000;

/** Has one call tried now, where the reader pauses. */
export async function tryNow(em: EntityManager, agentId: string): Promise<void> {
  await db(em)
    .updateTable('model_readers')
    .where('agentId', '=', agentId)
    .where('trouble', 'is not', null)
    .set({ nextTryAt: clock })
    .execute();
}

/**
 * A model that was in trouble gave a usable answer. The calls that met its trouble are taken up as if they had never been
 * asked about; those that were given up meanwhile too.
 */
export async function noteRecovery(em: EntityManager, agentId: string): Promise<void> {
  await em.transactional(async (tx) => {
    const before = await db(tx)
      .selectFrom('model_readers')
      .where('agentId', '=', agentId)
      .where('troubles', '>', 0)
      .select(['trouble', 'troubledSince'])
      .forUpdate()
      .executeTakeFirst();
    if (before === undefined) return;
    await db(tx)
      .updateTable('model_readers')
      .where('agentId', '=', agentId)
      .set({
        troubles: 0,
        tries: 0,
        troubledSince: null,
        trouble: null,
        reason: null,
        pausedAt: null,
        nextTryAt: null,
        updatedAt: now,
      })
      .execute();
    if (before.trouble === null) return;
    await sql`
      update model_readings set state = 'waiting', forgiven = asks, note = null, gave_nothing = false, updated_at = now()
      where agent_id = ${agentId} and ((state = 'waiting' and asks > forgiven)
        or (state = 'dropped' and gave_nothing and updated_at >= ${before.troubledSince}::timestamptz))`.execute(
      db(tx),
    );
  });
}
