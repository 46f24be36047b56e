import type { Role } from '../../src/domain/vocabulary.ts';
import { api } from './api.ts';

/** Why a member may not do what is for admins; null for an admin. */
export function adminOnly(role: Role): string | null {
  return role === 'admin' ? null : 'Only an admin of the workspace may do this.';
}

/** The same for whoever is signed in; null until that is known. */
export function useAdminOnly(): string | null {
  const me = api.useQuery('get', '/app/me');
  return me.data ? adminOnly(me.data.role) : null;
}
