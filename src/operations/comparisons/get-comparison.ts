import { comparison } from '../../contract/comparison.ts';
import { type ComparisonView, findComparison } from '../../db/comparisons/read-comparisons.ts';
import { defineOperation, type Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentComparison } from './present.ts';

const comparisonParent: Parent<ComparisonView> = {
  param: 'comparisonId',
  notFound: 'comparison_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findComparison(em, scopeOf(agent), id) : null),
};

export const getComparison = defineOperation({
  id: 'getComparison',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/comparisons/{comparisonId}',
  scope: 'read',
  tag: 'Versions',
  summary: 'Read one comparison',
  description: 'What changed between two neighbouring versions, in the configuration and in the calls.',
  whenToUse: 'Call it for the whole of one comparison whose id you have.',
  parents: [comparisonParent],
  response: comparison,
  run: async (context) => presentComparison(context.parent(comparisonParent)),
});
