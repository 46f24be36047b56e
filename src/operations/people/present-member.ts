import type { MemberResource } from '../../contract/member.ts';
import type { WorkspaceMember } from '../../db/system/members.ts';

export function presentMember(member: WorkspaceMember): MemberResource {
  return {
    object: 'member',
    id: member.personId,
    email: member.email,
    name: member.name,
    role: member.role,
    state: member.invitedUntil === null ? 'active' : 'invited',
    createdAt: member.createdAt,
    invitedUntil: member.invitedUntil,
  };
}
