import { apiKey } from '../../contract/key.ts';
import { findKey, type KeyView, revokeKey as revoke } from '../../db/system/keys.ts';
import { Failure } from '../failure.ts';
import { defineOperation, type Parent } from '../operation.ts';
import { presentKey } from './present-key.ts';

const keyParent: Parent<KeyView> = {
  param: 'keyId',
  notFound: 'key_not_found',
  format: 'uuid',
  load: async (em, id, { principal }) => (principal.kind === 'person' ? findKey(em, principal.workspaceId, id) : null),
};

export const revokeKey = defineOperation({
  id: 'revokeKey',
  surface: 'app',
  method: 'DELETE',
  path: '/app/keys/{keyId}',
  scope: 'person',
  tag: 'Keys',
  summary: 'Revoke a key',
  description:
    'At once and for good: the next request with it is refused. Only an admin revokes a key with write access.',
  parents: [keyParent],
  response: apiKey,
  async run(context) {
    const key = context.parent(keyParent);
    const person = context.person();
    if (key.access === 'write' && person.role !== 'admin') {
      throw new Failure('admin_only', 'Only an admin of this workspace revokes a key with write access.');
    }
    if (!(await revoke(context.em, person.workspaceId, key.id))) {
      throw new Failure('key_not_found', 'This key was revoked already.');
    }
    return presentKey(key);
  },
});
