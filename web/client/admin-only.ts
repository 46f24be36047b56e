import { roleRefusal } from '../../src/domain/access/roles.ts';
import type { Role } from '../../src/domain/vocabulary.ts';
import { api } from './api.ts';

/** Why a member may not do what is for admins; null for an admin. */
export const adminOnly = (role: Role): string | null => roleRefusal('admin', role);

/** Why whoever is signed in may not do what takes at least this role; null until that is known. */
export function useRoleRefusal(least: Role): string | null {
  const me = api.useQuery('get', '/app/me');
  return me.data ? roleRefusal(least, me.data.role) : null;
}

export const useAdminOnly = (): string | null => useRoleRefusal('admin');
