import type { EntityManager } from '../../db/database.ts';
import {
  dropInvitation,
  findInvitationBySecret,
  holdInvitation,
  type InvitationView,
} from '../../db/system/invitations.ts';
import { insertMembership } from '../../db/system/members.ts';
import { dropPasswordLinks, lockAccount } from '../../db/system/people.ts';
import { isOpenSession, moveSession } from '../../db/system/sessions.ts';
import { refusesInvitation } from '../../domain/access/accounts.ts';

/** An invitation by its id, which is answered to whom the address is, or by the secret of its link. */
export type InvitationName = { id: string } | { secretHash: string };

export interface OwnSession {
  id: string;
  personId: string;
  workspaceId: string | null;
}

export type ToAnswer =
  /** With why it can only be declined, where there is a reason. */
  | { outcome: 'found'; invitation: InvitationView; refusal: 'given_password' | null }
  | { outcome: 'signed_out' | 'not_found' | 'another_address' };

/**
 * The invitation that somebody who is signed in answers, with their account held. Whether the session is in force is
 * asked again then: who sets another password ends it.
 */
export async function findToAnswer(tx: EntityManager, session: OwnSession, named: InvitationName): Promise<ToAnswer> {
  const account = await lockAccount(tx, session.personId);
  if (account === null || !(await isOpenSession(tx, session.id))) return { outcome: 'signed_out' };
  const hasLink = 'secretHash' in named;
  const invitation = hasLink
    ? await findInvitationBySecret(tx, named.secretHash, 'held')
    : await holdInvitation(tx, named.id);
  if (invitation === null) return { outcome: 'not_found' };
  const refusal = refusesInvitation(account, invitation, hasLink);
  // Whose an invitation is, is told to whoever has its link.
  if (refusal === 'another_address') return { outcome: hasLink ? refusal : 'not_found' };
  return refusal === 'not_proved' ? { outcome: 'not_found' } : { outcome: 'found', invitation, refusal };
}

/** Makes somebody a member whose account is held. @returns false when the invitation was answered in the meantime. */
export async function join(
  tx: EntityManager,
  personId: string,
  { id, workspaceId, role }: InvitationView,
): Promise<boolean> {
  if (!(await dropInvitation(tx, id))) return false;
  await insertMembership(tx, { workspaceId, personId, role });
  // Whoever made one could not have made it for a member of this workspace too.
  await dropPasswordLinks(tx, personId);
  return true;
}

/** The workspace in which a session of somebody who belonged nowhere begins from now on. */
export async function beginIn(tx: EntityManager, session: OwnSession, workspaceId: string): Promise<void> {
  if (session.workspaceId === null) await moveSession(tx, session.id, workspaceId);
}
