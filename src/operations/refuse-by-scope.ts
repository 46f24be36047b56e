import { runsInstallation } from '../db/system/setup.ts';
import { hasRole, rolesFrom } from '../domain/access/roles.ts';
import type { Role } from '../domain/vocabulary.ts';
import type { Admission } from './admission.ts';
import { Failure } from './failure.ts';

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
  if (principal.kind === 'person' && !hasRole(principal.role, operation.role)) {
    throw roleRefusal(operation.role, principal.role);
  }
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

function roleRefusal(least: Role, role: Role): Failure {
  if (least === 'admin') return new Failure('admin_only', 'Only an admin of this workspace can do this.');
  return new Failure('role_required', `This takes the role ${rolesFrom(least)}; yours here is ${role}.`);
}
