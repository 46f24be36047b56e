import { run } from '../../contract/run.ts';
import { defineOperation } from '../operation.ts';
import { runParent } from './parent.ts';
import { presentRun } from './present.ts';

export const getRun = defineOperation({
  id: 'getRun',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/runs/{runId}',
  scope: 'read',
  tag: 'Runs',
  summary: 'Read a run',
  description:
    'Where it stands. Poll it in growing gaps, from a second to half a minute, until its status is complete, refused or failed.',
  whenToUse: 'Use it to see whether a run is over, how far it is, or what it waits for.',
  parents: [runParent],
  response: run,
  async run(context) {
    return presentRun(context.parent(runParent));
  },
});
