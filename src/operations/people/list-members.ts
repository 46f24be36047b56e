import { listOf } from '../../contract/common.ts';
import { member } from '../../contract/member.ts';
import { listMembers as readMembers } from '../../db/system/members.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { presentMember } from './present-member.ts';

export const listMembers = defineOperation({
  id: 'listMembers',
  surface: 'app',
  method: 'GET',
  path: '/app/members',
  scope: 'person',
  tag: 'People',
  summary: 'List the members of the workspace',
  description: 'Members and open invitations, oldest first.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(member),
  async run(context, { query }) {
    const { workspaceId } = context.person();
    const rows = await readMembers(context.em, workspaceId, { after: query.cursor, limit: query.limit });
    return context.page(rows, query.limit, presentMember, (row) => [row.createdAt, row.personId]);
  },
});
