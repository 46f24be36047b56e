import { run } from '../../contract/run.ts';
import { loadAgentSource } from '../../db/agents/agent-source.ts';
import { liftLimit } from '../../db/connections/limits.ts';
import { publishEvent } from '../../db/events/events.ts';
import { pressRun } from '../../db/runs/held-runs.ts';
import { findRun } from '../../db/runs/runs.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { runParent } from './parent.ts';
import { presentRun } from './present.ts';

export const tryRunNow = defineOperation({
  id: 'tryRunNow',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/runs/{runId}/try-now',
  scope: 'person',
  tag: 'Runs',
  summary: 'End the present wait of a run',
  description:
    'Its simulated calls ask the platform again within seconds, although it wanted no more requests until later. Where it still wants none, they wait anew. A run that is not being played answers 409 run_decided.',
  parents: [runParent],
  refuses: ['run_decided'],
  response: run,
  async run({ em, agent, parent }) {
    const row = parent(runParent);
    if (!(await pressRun(em, row.id))) {
      throw new Failure('run_decided', `This run is not being played (${row.status}), so it waits for no platform.`);
    }
    const source = await loadAgentSource(em, agent.id);
    if (source?.connectionId) await liftLimit(em, source.connectionId);
    await publishEvent(em, { agentId: agent.id, kind: 'run.changed', ref: row.id });
    return presentRun((await findRun(em, scopeOf(agent), row.id)) ?? row);
  },
});
