import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { comparison } from '../../contract/comparison.ts';
import { listComparisons as readComparisons } from '../../db/comparisons/read-comparisons.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentComparison } from './present.ts';

export const listComparisons = defineOperation({
  id: 'listComparisons',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/comparisons',
  scope: 'read',
  tag: 'Versions',
  summary: 'List the comparisons of an agent',
  description:
    'One comparison for each two neighbouring versions, newest first: what changed in the configuration, what changed in the calls, and how sure that is.',
  whenToUse: 'Call it to learn whether a change of the agent helped or hurt, and what exactly was changed.',
  query: { limit: limitParam(), cursor: cursorParam(z.int()) },
  response: listOf(comparison),
  async run(context, { query }) {
    const page = { beforeVersion: query.cursor, limit: query.limit };
    const rows = await readComparisons(context.em, scopeOf(context.agent), page);
    return context.page(rows, query.limit, presentComparison, (row) => row.toVersion);
  },
});
