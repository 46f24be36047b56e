import { erasure } from '../../contract/erasure.ts';
import { defineOperation } from '../operation.ts';
import { erasureParent } from './parent.ts';
import { presentErasure } from './present.ts';

export const getErasure = defineOperation({
  id: 'getErasure',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/erasures/{erasureId}',
  scope: 'person',
  adminOnly: true,
  tag: 'Erasure',
  summary: 'Read an erasure',
  description: 'How far it is, and the report of what was removed, table by table.',
  parents: [erasureParent],
  response: erasure,
  async run(context) {
    return presentErasure(context.parent(erasureParent));
  },
});
