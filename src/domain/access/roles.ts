import { ROLES, type Role } from '../vocabulary.ts';

/** Whether a role may do what takes at least another. */
export const hasRole = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The roles that may do what takes at least this one, in words: `approver or admin`. */
export const rolesFrom = (least: Role): string => ROLES.slice(ROLES.indexOf(least)).join(' or ');

/** The highest role that a person's groups at the provider of sign-in give them; the lowest there is where none gives one. */
export function roleOfGroups(groups: readonly string[], roles: ReadonlyMap<string, Role>): Role {
  const given = groups.flatMap((group) => roles.get(group) ?? []);
  return ROLES.findLast((role) => given.includes(role)) ?? ROLES[0];
}
