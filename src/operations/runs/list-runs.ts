import { listOf } from '../../contract/common.ts';
import { run } from '../../contract/run.ts';
import { listRuns as readRuns } from '../../db/runs/runs.ts';
import { RUN_STATUSES, RUN_TRIGGERS } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, idParam, integerParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { presentRun } from './present.ts';

export const listRuns = defineOperation({
  id: 'listRuns',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/runs',
  scope: 'read',
  tag: 'Runs',
  summary: 'List the runs of an agent',
  description: 'Newest first; filters combine.',
  whenToUse: 'Use it to find the runs of a version, or those that wait for approval.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    status: choiceParam(RUN_STATUSES, 'Runs of this status.'),
    trigger: choiceParam(RUN_TRIGGERS, 'Runs that a person (manual), a new version (auto) or a key (ci) started.'),
    version: integerParam('Runs that played this agent version.'),
    goalId: idParam('Runs that were started for this goal.'),
  },
  response: listOf(run),
  async run(context, { query }) {
    const { limit, cursor, ...filter } = query;
    const rows = await readRuns(context.em, scopeOf(context.agent), filter, { after: cursor, limit });
    return context.page(rows, limit, presentRun, (row) => [row.createdAt, row.id]);
  },
});
