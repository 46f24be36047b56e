import { type ErasureView, findErasure, findErasureOf } from '../../db/erasures/erasures.ts';
import type { Parent } from '../operation.ts';

export const erasureParent: Parent<ErasureView> = {
  param: 'erasureId',
  notFound: 'erasure_not_found',
  format: 'uuid',
  async load(em, id, { agent, principal }) {
    if (agent) return findErasure(em, agent.id, id);
    return principal.kind === 'person' ? findErasureOf(em, principal.workspaceId, id) : null;
  },
};
