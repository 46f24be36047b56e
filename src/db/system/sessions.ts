import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, fromNow, now } from '../expressions.ts';

export interface SessionView {
  id: string;
  /** Where it begins; null for somebody who belonged nowhere. */
  workspaceId: string | null;
  personId: string;
  rotates: boolean;
  expiresAt: string;
}

export async function insertSession(
  em: EntityManager,
  session: {
    id: string;
    workspaceId: string | null;
    personId: string;
    secretHash: string;
    rotates: boolean;
    validDays: number;
  },
): Promise<{ expiresAt: string }> {
  const { id, workspaceId, personId, secretHash, rotates, validDays } = session;
  return db(em)
    .insertInto('sessions')
    .values({ id, workspaceId, personId, secretHash, rotates, expiresAt: fromNow(validDays, 'days') })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
}

export type SessionUse =
  /** The secret in force. `rotated` when it was replaced by the new one just now. */
  | { outcome: 'used'; session: SessionView; rotated: boolean }
  /** The secret before, within its moment of grace: good, and nothing is replaced. */
  | { outcome: 'grace'; session: SessionView }
  /** A secret that was replaced longer ago: the whole session is ended. */
  | { outcome: 'reused' }
  | { outcome: 'unknown' };

/**
 * Uses a refresh secret, and replaces it by `nextHash` where the session rotates. The row is locked, so that two tabs
 * with the same secret are told apart: the first rotates, the second meets the grace.
 */
export async function useSession(
  em: EntityManager,
  use: { sessionId: string; secretHash: string; nextHash: string; graceSeconds: number },
): Promise<SessionUse> {
  return em.transactional(async (within) => {
    const row = await db(within)
      .selectFrom('sessions')
      .where('id', '=', use.sessionId)
      .select(['id', 'workspaceId', 'personId', 'rotates', 'expiresAt'])
      .select((eb) => [
        eb('secretHash', '=', use.secretHash).as('current'),
        eb
          .and([eb('previousSecretHash', '=', use.secretHash), eb('rotatedAt', '>', ago(use.graceSeconds, 'seconds'))])
          .as('previous'),
        eb.or([eb('revokedAt', 'is not', null), eb('expiresAt', '<=', now)]).as('dead'),
      ])
      .forUpdate()
      .executeTakeFirst();
    if (!row || row.dead) return { outcome: 'unknown' };
    const { current, previous, dead: _dead, ...session } = row;
    if (current && !session.rotates) return { outcome: 'used', session, rotated: false };
    if (current) {
      await db(within)
        .updateTable('sessions')
        .where('id', '=', session.id)
        .set((eb) => ({ previousSecretHash: eb.ref('secretHash'), secretHash: use.nextHash, rotatedAt: now }))
        .execute();
      return { outcome: 'used', session, rotated: true };
    }
    if (previous) return { outcome: 'grace', session };
    await db(within).updateTable('sessions').where('id', '=', session.id).set({ revokedAt: now }).execute();
    return { outcome: 'reused' };
  });
}

/** The session of a refresh secret that is in force, or was until a moment ago; the secret stays as it is. */
export async function findOpenSession(
  em: EntityManager,
  { sessionId, secretHash, graceSeconds }: { sessionId: string; secretHash: string; graceSeconds: number },
): Promise<{ id: string; personId: string; workspaceId: string | null } | null> {
  const found = await db(em)
    .selectFrom('sessions')
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where((eb) =>
      eb.or([
        eb('secretHash', '=', secretHash),
        eb.and([eb('previousSecretHash', '=', secretHash), eb('rotatedAt', '>', ago(graceSeconds, 'seconds'))]),
      ]),
    )
    .select(['id', 'personId', 'workspaceId'])
    .executeTakeFirst();
  return found ?? null;
}

/** Whether a session is in force. */
export async function isOpenSession(em: EntityManager, sessionId: string): Promise<boolean> {
  const found = db(em)
    .selectFrom('sessions')
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now);
  return (await found.select('id').executeTakeFirst()) !== undefined;
}

/** Has a session begin in another workspace. */
export async function moveSession(em: EntityManager, sessionId: string, workspaceId: string): Promise<void> {
  await db(em).updateTable('sessions').where('id', '=', sessionId).set({ workspaceId }).execute();
}

/** Sessions of one account are of another of the same person from now on, and begin in a workspace of that one. */
export async function moveSessions(
  em: EntityManager,
  from: string,
  to: { personId: string; workspaceId: string | null },
): Promise<void> {
  await db(em).updateTable('sessions').where('personId', '=', from).set(to).execute();
}

/** @returns whose it was; null where it had ended before. */
export async function revokeSession(
  em: EntityManager,
  sessionId: string,
): Promise<{ personId: string; workspaceId: string | null } | null> {
  const ended = await db(em)
    .updateTable('sessions')
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: now })
    .returning(['personId', 'workspaceId'])
    .executeTakeFirst();
  return ended ?? null;
}

/** Ends the sessions of a person in a workspace that they no longer belong to. */
export async function revokeSessionsOf(
  em: EntityManager,
  who: { personId: string; workspaceId: string },
): Promise<void> {
  await db(em)
    .updateTable('sessions')
    .where('personId', '=', who.personId)
    .where('workspaceId', '=', who.workspaceId)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: now })
    .execute();
}

/** Ends every session but for the one named. @returns how many. */
export async function revokeOtherSessions(
  em: EntityManager,
  who: { personId: string; sessionId: string | null },
): Promise<number> {
  let sessions = db(em)
    .updateTable('sessions')
    .where('personId', '=', who.personId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now);
  if (who.sessionId !== null) sessions = sessions.where('id', '<>', who.sessionId);
  const ended = await sessions.set({ revokedAt: now }).returning('id').execute();
  return ended.length;
}

/** Whether a person may still watch: the session holds, and they are a member. */
export async function mayWatch(
  em: EntityManager,
  who: { personId: string; workspaceId: string; sessionId: string },
): Promise<boolean> {
  const session = await db(em)
    .selectFrom('memberships')
    .innerJoin('sessions', 'sessions.personId', 'memberships.personId')
    .where('sessions.id', '=', who.sessionId)
    .where('sessions.revokedAt', 'is', null)
    .where('sessions.expiresAt', '>', now)
    .where('memberships.workspaceId', '=', who.workspaceId)
    .where('memberships.personId', '=', who.personId)
    .select('sessions.id')
    .executeTakeFirst();
  return session !== undefined;
}

/** Sessions that ended, and links that nobody can use any more, are kept for a week, for whoever looks what happened. */
export async function dropEndedSignIns(em: EntityManager): Promise<void> {
  const weekAgo = ago(7, 'days');
  await db(em)
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<', weekAgo), eb('revokedAt', '<', weekAgo)]))
    .execute();
  await db(em)
    .deleteFrom('one_time_links')
    .where((eb) => eb.or([eb('expiresAt', '<', weekAgo), eb('usedAt', '<', weekAgo)]))
    .execute();
  await db(em).deleteFrom('invitations').where('expiresAt', '<', weekAgo).execute();
}
