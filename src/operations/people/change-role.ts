import { changedMember, roleInput } from '../../contract/member.ts';
import { countKeysOf, revokeKeysOf } from '../../db/system/keys.ts';
import { lockWorkspace, setRole } from '../../db/system/members.ts';
import { defineOperation } from '../operation.ts';
import { booleanParam } from '../params.ts';
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
  description:
    'Holds from the next request of the member on. The last admin stays one. Keys and ingest tokens that they made as an admin belong to the workspace and go on working unless `revokeKeys` says otherwise; the answer counts both.',
  parents: [memberParent],
  query: { revokeKeys: booleanParam('True: keys and ingest tokens that they made end too.') },
  body: roleInput,
  response: changedMember,
  async run(context, { query, body }) {
    const { workspaceId } = context.person();
    const member = context.parent(memberParent);
    await lockWorkspace(context.em, workspaceId);
    if (body.role !== 'admin') await keepAnAdmin(context.em, workspaceId, member);
    const who = { workspaceId, personId: member.personId };
    await setRole(context.em, who, body.role);
    const revokedKeys = query.revokeKeys ? await revokeKeysOf(context.em, who) : 0;
    const keptKeys = await countKeysOf(context.em, who);
    return { ...presentMember({ ...member, role: body.role }), revokedKeys, keptKeys };
  },
});
