import { memberInput, type NewMember, newMember } from '../../contract/member.ts';
import type { EntityManager } from '../../db/database.ts';
import {
  dropInvitations,
  ensurePerson,
  findMemberOrInvited,
  insertMembership,
  isInvitedElsewhere,
  lockWorkspace,
} from '../../db/system/members.ts';
import { findMembership, insertLink, setFirstPassword } from '../../db/system/people.ts';
import { findInstallationWorkspace } from '../../db/system/setup.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { hashPassword } from '../access/passwords.ts';
import { newLinkSecret, secretHash } from '../access/secrets.ts';
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
    'Answers with a one-time link, shown this once, which is good for a week; inviting again replaces it. Whoever signs in already accepts with their own password. An admin of the installation, whose workspace is the one made at its first start, can give a password instead, where the address belongs to nobody and is invited nowhere: the member is made at once.',
  body: memberInput,
  response: newMember,
  showsSecret: true,
  // Hashing a password takes a third of a second, for which no connection should be held.
  transaction: false,
  async run(context, { body }): Promise<NewMember> {
    const { workspaceId } = context.person();
    const { email, name, role } = body;
    if (body.password !== undefined) await keepToInstallation(context.em, workspaceId);
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
    return context.em.transactional(async (em) => {
      await lockWorkspace(em, workspaceId);
      const { personId } = await ensurePerson(em, { email, name });
      if (await findMembership(em, { personId, workspaceId })) {
        throw new Failure('member_exists', 'This person is a member already.', { param: 'email' });
      }
      let link: string | null = null;
      if (passwordHash === null) {
        await dropInvitations(em, { personId, workspaceId });
        link = `${context.services.publicUrl}/links/${await invite(em, { workspaceId, personId, role, name })}`;
      } else {
        await join(em, { workspaceId, personId, role }, { name, passwordHash });
      }
      const made = await findMemberOrInvited(em, workspaceId, personId);
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

async function invite(
  em: EntityManager,
  invited: { workspaceId: string; personId: string; role: Role; name: string },
): Promise<string> {
  const secret = newLinkSecret();
  await insertLink(em, { ...invited, secretHash: secretHash(secret), purpose: 'invitation' }, INVITATION_DAYS);
  return secret;
}

async function join(
  em: EntityManager,
  membership: { workspaceId: string; personId: string; role: Role },
  set: { name: string; passwordHash: string },
): Promise<void> {
  // Somebody's password is never set by another: it would open every workspace that they belong to.
  if ((await isInvitedElsewhere(em, membership)) || !(await setFirstPassword(em, membership.personId, set))) {
    throw new Failure(
      'member_exists',
      'Somebody signs in with this address already, or is invited elsewhere. Invite them without a password: they choose their own.',
      { param: 'password' },
    );
  }
  await dropInvitations(em, membership);
  await insertMembership(em, membership);
}
