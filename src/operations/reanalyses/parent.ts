import { findReanalysis, type ReanalysisView } from '../../db/reanalyses/reanalyses.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const reanalysisParent: Parent<ReanalysisView> = {
  param: 'reanalysisId',
  notFound: 'reanalysis_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findReanalysis(em, scopeOf(agent), id) : null),
};
