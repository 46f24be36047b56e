import { runsInstallation } from '../db/system/setup.ts';
import { roleRefusal } from '../domain/access/roles.ts';
import type { Admission } from './admission.ts';
import { Failure } from './failure.ts';
import type { Operation } from './operation.ts';
import type { Principal } from './principal.ts';

/**
 * What a person's role or a key may do, by the `scope` of the operation.
 *
 * @throws Failure: one of the 403s.
 */
export function refuseByScope({ operation, principal, agent, request }: Admission): void {
  const isKey = principal.kind === 'key';
  if (operation.scope === 'person' && isKey) {
    throw new Failure('people_only', 'Only a signed-in person can do this; a key never can.');
  }
  if (operation.inPerson && request.surface === 'copilot') {
    throw new Failure('people_only', 'A person decides this in person; the copilot never can.');
  }
  const byRole = principal.kind === 'person' ? roleRefusal(operation.role, principal.role) : null;
  if (byRole !== null) throw new Failure(operation.role === 'admin' ? 'admin_only' : 'role_required', byRole);
  if (agent?.readOnly && operation.changes && operation.scope !== 'read') {
    throw new Failure('demo_read_only', 'The shared demo agent can be read by everyone and changed by no one.');
  }
  if (operation.scope === 'write' && isKey && principal.access === 'read') {
    throw new Failure('key_read_only', 'This key can only read. Make a key with write access for this.');
  }
}

/** @throws Failure where only an admin of the installation may, and this person is none. */
export async function refuseUnlessOperator({ operation, principal, em }: Admission): Promise<void> {
  if (!operation.operatorOnly || principal.kind !== 'person') return;
  if (await runsInstallation(em, principal.personId)) return;
  throw new Failure('admin_only', 'Only an admin of the installation can do this.');
}

/** Whether it is refused whatever is asked of it: such a tool is not offered. */
export function isNeverAllowed({ scope, role }: Pick<Operation, 'scope' | 'role'>, principal: Principal): boolean {
  if (principal.kind === 'key') return scope === 'person' || (scope === 'write' && principal.access === 'read');
  return principal.kind === 'person' && roleRefusal(role, principal.role) !== null;
}
