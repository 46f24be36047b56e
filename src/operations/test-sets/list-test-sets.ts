import { listOf } from '../../contract/common.ts';
import { testSet } from '../../contract/test-set.ts';
import { listTestSets as readTestSets } from '../../db/tests/test-sets.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentTestSet } from './present.ts';

export const listTestSets = defineOperation({
  id: 'listTestSets',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/test-sets',
  scope: 'read',
  tag: 'Tests',
  summary: 'List the test sets of an agent',
  description: 'Named choices of tests that a run can play, newest first.',
  whenToUse: 'Call it for the testSetId that starting a run takes.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(testSet),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readTestSets(context.em, scopeOf(context.agent), page);
    return context.page(rows, query.limit, presentTestSet, (row) => [row.createdAt, row.id]);
  },
});
