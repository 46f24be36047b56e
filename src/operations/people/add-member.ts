import { memberInput, type NewMember, newMember } from '../../contract/member.ts';
import type { EntityManager } from '../../db/database.ts';
import { dropInvitation, listInvitationsTo, saveInvitation } from '../../db/system/invitations.ts';
import { findMemberAt, insertMembership, isMemberAt, lockWorkspace } from '../../db/system/members.ts';
import { insertPerson, lockAccountsAt } from '../../db/system/people.ts';
import { findInstallationWorkspace } from '../../db/system/setup.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { hashPassword } from '../access/passwords.ts';
import { linkTo, newLinkSecret, secretHash } from '../access/secrets.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { presentMember } from './present-member.ts';

const INVITATION_DAYS = 7;

export const addMember = defineOperation({
  id: 'addMember',
  surface: 'app',
  method: 'POST',
  path: '/app/members',
  scope: 'person',
  role: 'admin',
  tag: 'People',
  summary: 'Invite somebody to the workspace',
  description:
    'Answers with a one-time link, shown this once, which is good for a week, and as long as you are an admin; inviting again replaces it. Nobody is a member before they accept: by the link, or signed in with the address proved. An admin of the installation, whose workspace is the one made at its first start, can give a password instead, where the address belongs to nobody and is invited nowhere: the member is made at once, and changes that password before they join another workspace.',
  body: memberInput,
  response: newMember,
  showsSecret: true,
  // Hashing a password takes a third of a second, for which no connection should be held.
  transaction: false,
  async run(context, { body }): Promise<NewMember> {
    const { workspaceId, personId: invitedBy } = context.person();
    const { email, name, role } = body;
    if (body.password !== undefined) await keepToInstallation(context.em, workspaceId);
    const passwordHash =
      body.password === undefined ? null : await hashPassword(context.services.vault, email, body.password);
    return context.em.transactional(async (em) => {
      await lockWorkspace(em, workspaceId);
      if (await isMemberAt(em, workspaceId, email)) {
        throw new Failure('member_exists', 'Somebody with this address is a member already.', { param: 'email' });
      }
      let link: string | null = null;
      if (passwordHash === null) {
        const secret = newLinkSecret();
        const invitation = { workspaceId, email, name, role, invitedBy, secretHash: secretHash(secret) };
        await saveInvitation(em, invitation, INVITATION_DAYS);
        link = linkTo(context.services, secret);
      } else {
        await join(em, { workspaceId, role }, { email, name, passwordHash });
      }
      const made = await findMemberAt(em, workspaceId, email);
      if (!made) throw new Error('A member who was just made is not there.');
      await context.audited(em, { id: made.personId });
      return context.kept(em, { ...presentMember(made), link });
    });
  },
});

/** Whoever can make a workspace is its admin, and would choose passwords for addresses of others. */
async function keepToInstallation(em: EntityManager, workspaceId: string): Promise<void> {
  if ((await findInstallationWorkspace(em)) === workspaceId) return;
  throw new Failure(
    'admin_only',
    'Only an admin of the installation can choose a password for somebody. Invite them without one.',
    { param: 'password' },
  );
}

async function join(
  em: EntityManager,
  membership: { workspaceId: string; role: Role },
  set: { email: string; name: string; passwordHash: string },
): Promise<void> {
  const invitations = await listInvitationsTo(em, set.email);
  const elsewhere = invitations.some(({ workspaceId }) => workspaceId !== membership.workspaceId);
  if (elsewhere || (await lockAccountsAt(em, set.email)).length > 0) {
    throw new Failure(
      'member_exists',
      'Somebody signs in with this address already, or is invited elsewhere. Invite them without a password: they choose their own.',
      { param: 'password' },
    );
  }
  for (const { id } of invitations) await dropInvitation(em, id);
  const personId = await insertPerson(em, { ...set, passwordGiven: true });
  await insertMembership(em, { ...membership, personId });
}
