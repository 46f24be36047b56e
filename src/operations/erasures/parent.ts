import { type ErasureView, findErasure } from '../../db/erasures/erasures.ts';
import type { Parent } from '../operation.ts';

export const erasureParent: Parent<ErasureView> = {
  param: 'erasureId',
  notFound: 'erasure_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findErasure(em, agent.id, id) : null),
};
