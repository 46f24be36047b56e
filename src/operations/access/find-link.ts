import type { EntityManager } from '../../db/database.ts';
import { findInvitationBySecret, type InvitationView } from '../../db/system/invitations.ts';
import { listReach } from '../../db/system/members.ts';
import { findOpenLink, type LinkView } from '../../db/system/people.ts';
import { mayResetPassword } from '../../domain/access/accounts.ts';
import { Failure } from '../failure.ts';
import { secretHash } from './secrets.ts';

export type FoundLink = { invitation: InvitationView } | { link: LinkView };

/** What a secret opens. @throws Failure `link_not_found`, the same for whatever opens nothing any more. */
export async function findLink(em: EntityManager, secret: string): Promise<FoundLink> {
  const invitation = await findInvitationBySecret(em, secretHash(secret));
  if (invitation) return { invitation };
  const link = await findOpenLink(em, secretHash(secret));
  if (!link || !(await standsBehind(em, link))) throw linkGone();
  return { link };
}

/** Whether who made a link may have that password set still: a person's reach grows, and an admin's may end. */
export async function standsBehind(em: EntityManager, { madeBy, personId }: LinkView): Promise<boolean> {
  if (madeBy === null) return true;
  const { ofPerson, administered } = await listReach(em, { personId, adminId: madeBy.id });
  return mayResetPassword(ofPerson, administered);
}

export const linkGone = () => new Failure('link_not_found', 'This link was used already, or is none.');
