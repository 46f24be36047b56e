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
  role: 'admin',
  tag: 'Erasure',
  summary: 'Read an erasure',
  description: 'How far it is, and the report of what was removed, table by table.',
  parents: [erasureParent],
  response: erasure,
  async run(context) {
    return presentErasure(context.parent(erasureParent));
  },
});

export const getWorkspaceErasure = defineOperation({
  id: 'getWorkspaceErasure',
  surface: 'app',
  method: 'GET',
  path: '/app/erasures/{erasureId}',
  scope: 'person',
  role: 'admin',
  tag: 'Erasure',
  summary: 'Read an erasure of the workspace',
  description: 'How far it is, and its report, also where its agent was deleted.',
  parents: [erasureParent],
  response: erasure,
  async run(context) {
    return presentErasure(context.parent(erasureParent));
  },
});
