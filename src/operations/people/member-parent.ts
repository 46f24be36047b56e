import { findMemberOrInvited, type WorkspaceMember } from '../../db/system/members.ts';
import type { Parent } from '../operation.ts';

/** A member of the caller's workspace, or a person who is invited to it. */
export const memberParent: Parent<WorkspaceMember> = {
  param: 'personId',
  notFound: 'member_not_found',
  format: 'uuid',
  load: async (em, id, { principal }) =>
    principal.kind === 'person' ? findMemberOrInvited(em, principal.workspaceId, id) : null,
};
