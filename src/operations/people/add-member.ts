import { memberInput, type NewMember, newMember } from '../../contract/member.ts';
import type { EntityManager } from '../../db/database.ts';
import {
  dropInvitations,
  ensurePerson,
  findMemberOrInvited,
  insertMembership,
  lockWorkspace,
} from '../../db/system/members.ts';
import { findMembership, insertLink, setFirstPassword } from '../../db/system/people.ts';
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
  adminOnly: true,
  tag: 'People',
  summary: 'Invite somebody to the workspace',
  description:
    'Answers with a one-time link, shown this once, which is good for a week; inviting again replaces it. With a password the member is made at once, where nobody signs in with the address yet. Whoever signs in already accepts with their own password.',
  body: memberInput,
  response: newMember,
  showsSecret: true,
  // Hashing a password takes a third of a second, for which no connection should be held.
  transaction: false,
  async run(context, { body }): Promise<NewMember> {
    const { workspaceId } = context.person();
    const { email, name, role } = body;
    const passwordHash = body.password === undefined ? null : await hashPassword(body.password);
    return context.em.transactional(async (em) => {
      await lockWorkspace(em, workspaceId);
      const { personId } = await ensurePerson(em, { email, name });
      if (await findMembership(em, { personId, workspaceId })) {
        throw new Failure('member_exists', 'This person is a member already.', { param: 'email' });
      }
      await dropInvitations(em, { personId, workspaceId });
      let link: string | null = null;
      if (passwordHash === null) {
        link = `${context.services.publicUrl}/links/${await invite(em, { workspaceId, personId, role, name })}`;
      } else {
        await join(em, { workspaceId, personId, role }, { name, passwordHash });
      }
      const made = await findMemberOrInvited(em, workspaceId, personId);
      if (!made) throw new Error('A member who was just made is not there.');
      return { ...presentMember(made), link };
    });
  },
});

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
  if (!(await setFirstPassword(em, membership.personId, set))) {
    throw new Failure(
      'member_exists',
      'Somebody signs in with this address already. Invite them without a password: they accept with their own.',
      { param: 'password' },
    );
  }
  await insertMembership(em, membership);
}
