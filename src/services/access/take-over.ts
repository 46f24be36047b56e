import type { EntityManager } from '../../db/database.ts';
import { listOwnWorkspaces } from '../../db/system/members.ts';
import { deletePerson, lockAccountsAt, updatePerson } from '../../db/system/people.ts';
import { isOpenSession, moveSessions, revokeOtherSessions } from '../../db/system/sessions.ts';
import { moveIdentities } from '../../db/system/single-sign-on.ts';
import { mayTakeOver } from '../../domain/access/accounts.ts';
import type { OwnSession } from './accept-invitation.ts';

/**
 * Gives somebody who proved an address an account that stands under it. What others could have set ends: its password, its
 * sessions, its links. Their own account, which holds nothing yet, goes.
 * @returns the workspaces of the account, or null where there is no such account to take.
 */
export async function takeOver(
  tx: EntityManager,
  session: OwnSession,
  { email, accountId }: { email: string; accountId: string },
): Promise<{ id: string; name: string }[] | null> {
  const accounts = await lockAccountsAt(tx, email);
  const own = accounts.find(({ personId }) => personId === session.personId);
  const other = accounts.find(({ personId }) => personId === accountId);
  if (!own || !other || !(await isOpenSession(tx, session.id))) return null;
  const ofOwn = await listOwnWorkspaces(tx, own.personId);
  const workspaces = await listOwnWorkspaces(tx, other.personId);
  if (workspaces.length === 0 || !mayTakeOver({ ...own, workspaces: ofOwn.map(({ id }) => id) }, other)) return null;
  const { personId } = other;
  await revokeOtherSessions(tx, { personId, sessionId: null });
  await moveIdentities(tx, own.personId, personId);
  await moveSessions(tx, own.personId, { personId, workspaceId: workspaces[0]?.id ?? null });
  await deletePerson(tx, own.personId);
  await updatePerson(tx, personId, { passwordHash: null, passwordGiven: false, isProved: true });
  return workspaces;
}
