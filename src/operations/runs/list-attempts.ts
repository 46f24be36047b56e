import { z } from 'zod';
import { attemptSummary } from '../../contract/attempt.ts';
import { listOf } from '../../contract/common.ts';
import { listAttempts as readAttempts } from '../../db/runs/read-attempts.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, idParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentAttemptSummary } from './present-attempt.ts';

export const listAttempts = defineOperation({
  id: 'listAttempts',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/attempts',
  scope: 'read',
  tag: 'Runs',
  summary: 'List simulated calls',
  description: 'In the order in which they began, without their words; read one by its id for those.',
  whenToUse: 'Use it for the attempts of a run that has no result document yet.',
  query: {
    limit: limitParam(),
    cursor: cursorParam(z.tuple([z.guid()])),
    runId: idParam('Attempts of this run.'),
  },
  response: listOf(attemptSummary),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readAttempts(context.em, scopeOf(context.agent), query.runId, page);
    return context.page(rows, query.limit, presentAttemptSummary, (row) => [row.id]);
  },
});
