import { member as memberResource, roleInput } from '../../contract/member.ts';
import { lockWorkspace, setRole } from '../../db/system/members.ts';
import { defineOperation } from '../operation.ts';
import { keepAnAdmin } from './keep-an-admin.ts';
import { memberParent } from './member-parent.ts';
import { presentMember } from './present-member.ts';

export const changeRole = defineOperation({
  id: 'changeRole',
  surface: 'app',
  method: 'PATCH',
  path: '/app/members/{personId}',
  scope: 'person',
  role: 'admin',
  tag: 'People',
  summary: 'Change the role of a member',
  description: 'Holds from the next request of the member on. The last admin stays one.',
  parents: [memberParent],
  body: roleInput,
  response: memberResource,
  async run(context, { body }) {
    const { workspaceId } = context.person();
    const member = context.parent(memberParent);
    await lockWorkspace(context.em, workspaceId);
    if (body.role !== 'admin') await keepAnAdmin(context.em, workspaceId, member);
    await setRole(context.em, { workspaceId, personId: member.personId }, body.role);
    return presentMember({ ...member, role: body.role });
  },
});
