import { run } from '../../contract/run.ts';
import { publishEvent } from '../../db/events/events.ts';
import { beginRescore } from '../../db/runs/decide-runs.ts';
import { findRun } from '../../db/runs/runs.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { rescoreEntry } from '../../temporal/run-tests.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { aiLeft } from './open-run.ts';
import { runParent } from './parent.ts';
import { presentRun } from './present.ts';

export const rescoreRun = defineOperation({
  id: 'rescoreRun',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/runs/{runId}/rescore',
  scope: 'write',
  tag: 'Runs',
  summary: 'Score the attempts of a run again',
  description:
    'Every stored attempt is scored from its transcript by what scores now; no call is placed. The run stays complete and its result is served until the new one takes its place in one step; earlier scores are kept with their epochs. One at a time: 409 rescore_in_progress. Not idempotent by itself: each one is another score.',
  whenToUse: 'Use it after the judge or its prompt changed, to see the same conversations judged anew.',
  parents: [runParent],
  ai: true,
  refuses: ['budget_exceeded', 'run_not_finished', 'rescore_in_progress'],
  status: 202,
  response: run,
  async run(context) {
    const { em, agent, services } = context;
    const row = context.parent(runParent);
    if (row.status !== 'complete') {
      throw new Failure('run_not_finished', `Only a complete run can be scored again; this one is ${row.status}.`);
    }
    const left = services.models.judge === null ? null : await aiLeft(em, agent.workspaceId);
    if (left !== null && left <= 0) {
      const message =
        "The workspace's AI model allowance is used up, so nothing can be judged again. It grows again as older usage leaves its 30 days.";
      throw new Failure('budget_exceeded', message);
    }
    const nth = await beginRescore(
      em,
      row.id,
      'Scored again: the result so far is served until the new one is complete.',
    );
    if (nth === null)
      throw new Failure('rescore_in_progress', 'This run is being scored again. Wait until that is over.');
    const { id: agentId, workspaceId, name: agentName } = agent;
    const entry = rescoreEntry({ runId: row.id, agentId, workspaceId, agentName, nth });
    await addToOutbox(em, { entry, workspaceId, agentId });
    await publishEvent(em, { agentId, kind: 'run.changed', ref: row.id });
    return presentRun((await findRun(em, scopeOf(agent), row.id)) ?? row);
  },
});
