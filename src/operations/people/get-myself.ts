import { type Myself, myself } from '../../contract/member.ts';
import { listOwnWorkspaces } from '../../db/system/members.ts';
import { findMembership } from '../../db/system/people.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';

export const getMyself = defineOperation({
  id: 'getMyself',
  surface: 'app',
  method: 'GET',
  path: '/app/me',
  scope: 'person',
  tag: 'People',
  summary: 'Who is signed in',
  description: 'The person, the role in the workspace of this session, and every workspace that they belong to.',
  response: myself,
  async run(context): Promise<Myself> {
    const caller = context.person();
    const member = await findMembership(context.em, caller);
    if (!member) throw new Failure('invalid_token', 'You no longer belong to this workspace. Sign in again.');
    return {
      object: 'person',
      id: member.personId,
      email: member.email,
      name: member.name,
      workspaceId: member.workspaceId,
      role: member.role,
      workspaces: await listOwnWorkspaces(context.em, member.personId),
    };
  },
});
