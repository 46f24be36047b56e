import { passwordLink } from '../../contract/member.ts';
import { listReach } from '../../db/system/members.ts';
import { dropPasswordLinks, insertLink } from '../../db/system/people.ts';
import { mayResetPassword } from '../../domain/access/accounts.ts';
import { linkTo, newLinkSecret, secretHash } from '../access/secrets.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { memberParent } from './member-parent.ts';

const LINK_DAYS = 1;

export const makePasswordLink = defineOperation({
  id: 'makePasswordLink',
  surface: 'app',
  method: 'POST',
  path: '/app/members/{personId}/password-link',
  scope: 'person',
  role: 'admin',
  tag: 'People',
  summary: 'Make a link by which a member sets a new password',
  description:
    'For a member who forgot their password. The link is shown once, works once and expires after a day. Only an admin of every workspace of the member can make one, because the password opens all of them, and the link stops working when they are no longer an admin. Using it ends every session of the member and removes their sign-in providers.',
  parents: [memberParent],
  response: passwordLink,
  showsSecret: true,
  async run(context) {
    const { em } = context;
    const { personId: adminId, workspaceId } = context.person();
    const { personId, invitedUntil } = context.parent(memberParent);
    if (invitedUntil !== null) {
      throw new Failure('member_not_found', 'This person is not a member yet. Invite them again for a new link.');
    }
    const { ofPerson, administered } = await listReach(em, { personId, adminId });
    if (!mayResetPassword(ofPerson, administered)) {
      throw new Failure('admin_only', 'Only an admin of every workspace that this person belongs to can do this.');
    }
    await dropPasswordLinks(em, personId);
    const secret = newLinkSecret();
    const link = {
      secretHash: secretHash(secret),
      purpose: 'password' as const,
      workspaceId,
      personId,
      madeBy: adminId,
    };
    const { expiresAt } = await insertLink(em, link, LINK_DAYS);
    return { object: 'link' as const, link: linkTo(context.services, secret), expiresAt };
  },
});
