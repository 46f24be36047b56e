import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { testRevision } from '../../contract/test.ts';
import { listRevisions } from '../../db/tests/change-tests.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { testParent } from './parent.ts';

export const listTestRevisions = defineOperation({
  id: 'listTestRevisions',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/tests/{testId}/revisions',
  scope: 'person',
  tag: 'Tests',
  summary: 'List the revisions of a test',
  description: 'Every spec that it had, newest first, with who wrote it and when.',
  parents: [testParent],
  query: { limit: limitParam(), cursor: cursorParam(z.int()) },
  response: listOf(testRevision),
  async run(context, { query }) {
    const page = { before: query.cursor, limit: query.limit };
    const rows = await listRevisions(context.em, context.parent(testParent), page);
    return context.page(
      rows,
      query.limit,
      (row) => ({ object: 'test_revision' as const, ...row }),
      ({ revision }) => revision,
    );
  },
});
