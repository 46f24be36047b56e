import { run } from '../../contract/run.ts';
import { publishEvent } from '../../db/events/events.ts';
import { reopenErrors } from '../../db/runs/decide-runs.ts';
import { findRun, sayOfRun } from '../../db/runs/runs.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { runEntry } from '../../temporal/run-tests.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { runParent } from './parent.ts';
import { presentRun } from './present.ts';

export const retryErrors = defineOperation({
  id: 'retryErrors',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/runs/{runId}/retry-errors',
  scope: 'person',
  tag: 'Runs',
  summary: 'Play the errored cells of a run once more',
  description:
    'Only cells that ended in an error are played again, by the version and the test revisions of the run; all other cells keep their results and attempts. It draws no further test calls from the plan; the money is reserved anew.',
  parents: [runParent],
  refuses: ['run_not_finished'],
  response: run,
  async run(context) {
    const { em, agent } = context;
    const row = context.parent(runParent);
    const opened = await reopenErrors(em, row.id);
    if (opened === null) {
      const words =
        row.status !== 'complete'
          ? `Only a complete run has errors to try again; this one is ${row.status}.`
          : row.rescoring
            ? 'This run is being scored again. Wait until that is over.'
            : 'No cell of this run ended in an error.';
      throw new Failure('run_not_finished', words);
    }
    const { retry, cells } = opened;
    await sayOfRun(
      em,
      row.id,
      `Plays the ${cells === 1 ? 'cell' : `${cells} cells`} that ended in an error once more.`,
    );
    const { id: agentId, workspaceId, name: agentName } = agent;
    const entry = runEntry({ runId: row.id, agentId, workspaceId, agentName, retry });
    await addToOutbox(em, { entry, workspaceId, agentId });
    await publishEvent(em, { agentId, kind: 'run.changed', ref: row.id });
    return presentRun((await findRun(em, scopeOf(agent), row.id)) ?? row);
  },
});
