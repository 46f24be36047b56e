import { listOf } from '../../contract/common.ts';
import { test } from '../../contract/test.ts';
import { listTests as readTests } from '../../db/tests/tests.ts';
import { LANES, TEST_SOURCES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentTest } from './present.ts';

export const listTests = defineOperation({
  id: 'listTests',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/tests',
  scope: 'read',
  tag: 'Tests',
  summary: 'List the tests of an agent',
  description: 'Newest first, each with its spec. Archived ones are left out. Filters combine.',
  whenToUse: 'Call it to see what is tested, which tests decide about runs, and for the ids that a run needs.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    source: choiceParam(TEST_SOURCES, 'Where the test comes from.'),
    lane: choiceParam(LANES, 'Only this lane.'),
    gates: choiceParam(['true', 'false'], 'Only tests that decide about runs, or only those that do not.'),
  },
  response: listOf(test),
  async run(context, { query }) {
    const gates = query.gates === null ? null : query.gates === 'true';
    const filter = { source: query.source, lane: query.lane, gates, archived: false };
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readTests(context.em, scopeOf(context.agent), filter, page);
    return context.page(rows, query.limit, presentTest, (row) => [row.createdAt, row.id]);
  },
});
