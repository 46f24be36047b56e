import { ROLES, type Role } from '../vocabulary.ts';

/** From which role on somebody changes what a workspace shares, and approves what passes a budget. */
export const CHANGES_FROM: Role = 'member';
export const APPROVES_FROM: Role = 'approver';

/** Whether a role may do what takes at least another. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The roles that may do what takes at least this one, in words: `approver or admin`. */
export const rolesFrom = (least: Role): string => ROLES.slice(ROLES.indexOf(least)).join(' or ');

/** The highest role that a person's groups at the provider of sign-in give them; the lowest there is where none gives one. */
export function roleOfGroups(groups: readonly string[], roles: ReadonlyMap<string, Role>): Role {
  const given = groups.flatMap((group) => roles.get(group) ?? []);
  return ROLES.findLast((role) => given.includes(role)) ?? ROLES[0];
}

/** Why a role may not do what takes at least another; null where it may. */
export function roleRefusal(least: Role, role: Role): string | null {
  if (hasRole(role, least)) return null;
  if (least === 'admin') return 'Only an admin of this workspace can do this.';
  return `This takes the role ${rolesFrom(least)}; yours here is ${role}.`;
}
