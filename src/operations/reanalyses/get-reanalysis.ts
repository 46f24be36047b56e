import { reanalysis } from '../../contract/reanalysis.ts';
import { defineOperation } from '../operation.ts';
import { reanalysisParent } from './parent.ts';
import { presentReanalysis } from './present.ts';

export const getReanalysis = defineOperation({
  id: 'getReanalysis',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/reanalyses/{reanalysisId}',
  scope: 'person',
  tag: 'Re-analysis',
  summary: 'Read a re-analysis',
  description: 'How far it is, and once everything is read, what switching on would add, withdraw and move.',
  parents: [reanalysisParent],
  response: reanalysis,
  async run(context) {
    return presentReanalysis(context.parent(reanalysisParent));
  },
});
