import type { EntityManager } from '../../db/database.ts';
import { findRole, hasOtherAdmin, lockWorkspace, setRole } from '../../db/system/members.ts';
import { findInstallationWorkspace } from '../../db/system/setup.ts';
import { roleOfGroups } from '../../domain/access/roles.ts';
import type { Role } from '../../domain/vocabulary.ts';

/**
 * Gives a member of the installation's workspace the role that their groups at the provider say, in the transaction that
 * opens their session. The last admin stays one. Other workspaces belong to their own admins.
 * @returns the workspace where the role changed; null where it did not.
 */
export async function takeRoleFromGroups(
  tx: EntityManager,
  personId: string,
  groups: readonly string[],
  roles: ReadonlyMap<string, Role>,
): Promise<string | null> {
  const workspaceId = await findInstallationWorkspace(tx);
  if (workspaceId === null) return null;
  await lockWorkspace(tx, workspaceId);
  const member = { workspaceId, personId };
  const [before, role] = [await findRole(tx, member), roleOfGroups(groups, roles)];
  if (before === null || before === role) return null;
  if (before === 'admin' && !(await hasOtherAdmin(tx, workspaceId, personId))) return null;
  await setRole(tx, member, role);
  return workspaceId;
}
