import { flow } from '../../contract/metrics.ts';
import { readFlow } from '../../db/metrics/read-flow.ts';
import type { PlaceKind } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { integerParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';

export const getFlow = defineOperation({
  id: 'getFlow',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/flow',
  scope: 'read',
  tag: 'Metrics',
  summary: 'Read how calls move through the agent',
  description:
    'Calls per step, drops, loops, transitions taken and how calls end, on one version. Agents without steps show the start of the call and their tools. A version that took no calls gives an empty document.',
  whenToUse: 'Call it to find where calls get lost or go in circles.',
  query: { version: integerParam('The version of the agent; the current one when left out.') },
  response: flow,
  async run({ em, agent }, { query }) {
    const version = query.version ?? agent.currentVersion;
    const { steps, moves, ends } = await readFlow(em, scopeOf(agent), version);
    const ids = new Map(steps.map(({ step, kind, placeId }) => [step, stepId(kind, placeId)]));
    const idOf = (step: string) => ids.get(step) ?? step;
    return {
      object: 'flow' as const,
      version,
      steps: steps.map(({ step, kind, label, calls, drops, loops, issueId }) => ({
        id: idOf(step),
        kind,
        label,
        calls,
        drops,
        loops,
        issueId,
      })),
      transitions: moves.map(({ from, to, calls }) => ({ from: idOf(from), to: idOf(to), calls })),
      endings: ends.map(({ outcome, step, calls }) => ({ outcome, step: idOf(step), calls })),
    };
  },
});

/** Only what is no step of a flow says what it is, so that the ids of steps are the platform's own. */
function stepId(kind: PlaceKind, placeId: string): string {
  return kind === 'node' ? placeId : `${kind}:${placeId}`;
}
