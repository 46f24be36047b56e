import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

export interface SessionView {
  id: string;
  workspaceId: string;
  personId: string;
  rotates: boolean;
  /** ISO text of PostgreSQL. */
  expiresAt: string;
}

export async function insertSession(
  em: EntityManager,
  session: {
    id: string;
    workspaceId: string;
    personId: string;
    secretHash: string;
    rotates: boolean;
    validDays: number;
  },
): Promise<{ expiresAt: string }> {
  const { rows } = await sql<{ expiresAt: string }>`
    insert into sessions (id, workspace_id, person_id, secret_hash, rotates, expires_at)
    values (${session.id}, ${session.workspaceId}, ${session.personId}, ${session.secretHash}, ${session.rotates},
      now() + ${`${session.validDays} days`}::interval)
    returning expires_at as "expiresAt"
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL returned no row for a new session.');
  return row;
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
    const db = within.getKysely();
    const { rows } = await sql<SessionView & { current: boolean; previous: boolean; dead: boolean }>`
      select id, workspace_id as "workspaceId", person_id as "personId", rotates, expires_at as "expiresAt",
        secret_hash = ${use.secretHash} as "current",
        coalesce(previous_secret_hash = ${use.secretHash}
          and rotated_at > now() - ${`${use.graceSeconds} seconds`}::interval, false) as "previous",
        (revoked_at is not null or expires_at <= now()) as "dead"
      from sessions where id = ${use.sessionId}::uuid for update
    `.execute(db);
    const [row] = rows;
    if (!row || row.dead) return { outcome: 'unknown' };
    const { current, previous, dead: _dead, ...session } = row;
    if (current && !session.rotates) return { outcome: 'used', session, rotated: false };
    if (current) {
      await sql`
        update sessions set previous_secret_hash = secret_hash, secret_hash = ${use.nextHash}, rotated_at = now()
        where id = ${session.id}
      `.execute(db);
      return { outcome: 'used', session, rotated: true };
    }
    if (previous) return { outcome: 'grace', session };
    await sql`update sessions set revoked_at = now() where id = ${session.id}`.execute(db);
    return { outcome: 'reused' };
  });
}

export async function revokeSession(em: EntityManager, sessionId: string): Promise<void> {
  await sql`
    update sessions set revoked_at = now() where id = ${sessionId}::uuid and revoked_at is null
  `.execute(em.getKysely());
}

/** Ends the sessions of a person in a workspace that they no longer belong to. */
export async function revokeSessionsOf(
  em: EntityManager,
  who: { personId: string; workspaceId: string },
): Promise<void> {
  await sql`
    update sessions set revoked_at = now()
    where person_id = ${who.personId} and workspace_id = ${who.workspaceId} and revoked_at is null
  `.execute(em.getKysely());
}

/** Ends every session that was opened by signing in, but for the one named. @returns how many. */
export async function revokeOtherSessions(
  em: EntityManager,
  who: { personId: string; sessionId: string | null },
): Promise<number> {
  const { rows } = await sql`
    update sessions set revoked_at = now()
    where person_id = ${who.personId} and id is distinct from ${who.sessionId}::uuid and rotates and revoked_at is null
      and expires_at > now()
    returning id
  `.execute(em.getKysely());
  return rows.length;
}

/** Whether a person may still watch: the session holds, and they are a member. */
export async function mayWatch(
  em: EntityManager,
  who: { personId: string; workspaceId: string; sessionId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships
    join sessions on sessions.id = ${who.sessionId}::uuid and sessions.person_id = memberships.person_id
      and sessions.revoked_at is null and sessions.expires_at > now()
    where memberships.workspace_id = ${who.workspaceId}::uuid and memberships.person_id = ${who.personId}::uuid
  `.execute(em.getKysely());
  return rows.length > 0;
}
