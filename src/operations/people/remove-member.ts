import { removedMember } from '../../contract/member.ts';
import { askAnew } from '../../db/channels/channels.ts';
import { dropInvitation } from '../../db/system/invitations.ts';
import { countKeysOf, revokeKeysOf } from '../../db/system/keys.ts';
import { deleteMembership, lockWorkspace } from '../../db/system/members.ts';
import { revokeSessionsOf } from '../../db/system/sessions.ts';
import { deleteViewsOf } from '../../db/views/saved-views.ts';
import { defineOperation } from '../operation.ts';
import { booleanParam } from '../params.ts';
import { keepAnAdmin } from './keep-an-admin.ts';
import { memberParent } from './member-parent.ts';

export const removeMember = defineOperation({
  id: 'removeMember',
  surface: 'app',
  method: 'DELETE',
  path: '/app/members/{personId}',
  scope: 'person',
  role: 'admin',
  tag: 'People',
  summary: 'Remove a member, or take an invitation back',
  description:
    'Ends their sessions in this workspace at once. Keys and ingest tokens that they made belong to the workspace and go on working unless `revokeKeys` says otherwise; the answer counts both.',
  parents: [memberParent],
  query: { revokeKeys: booleanParam('True: keys and ingest tokens that they made end too.') },
  response: removedMember,
  async run(context, { query }) {
    const { workspaceId } = context.person();
    const member = context.parent(memberParent);
    const who = { workspaceId, personId: member.personId };
    await lockWorkspace(context.em, workspaceId);
    await keepAnAdmin(context.em, workspaceId, member);
    await deleteMembership(context.em, who);
    await dropInvitation(context.em, member.personId);
    await revokeSessionsOf(context.em, who);
    await deleteViewsOf(context.em, member.personId);
    await askAnew(context.em, workspaceId, member.email);
    const revokedKeys = query.revokeKeys ? await revokeKeysOf(context.em, who) : 0;
    const keptKeys = await countKeysOf(context.em, who);
    return { object: 'member' as const, id: member.personId, removed: true as const, revokedKeys, keptKeys };
  },
});
