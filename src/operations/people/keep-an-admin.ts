import type { EntityManager } from '../../db/database.ts';
import { hasOtherAdmin, type WorkspaceMember } from '../../db/system/members.ts';
import { Failure } from '../failure.ts';

/** The workspace must be locked, or two admins could see each other stay. @throws Failure `last_admin` */
export async function keepAnAdmin(em: EntityManager, workspaceId: string, member: WorkspaceMember): Promise<void> {
  const isInvitation = member.invitedUntil !== null;
  if (isInvitation || (await hasOtherAdmin(em, workspaceId, member.personId))) return;
  throw new Failure('last_admin', 'A workspace keeps at least one admin. Make somebody else an admin first.');
}
