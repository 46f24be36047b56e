import { attempt } from '../../contract/attempt.ts';
import { loadPlayedById } from '../../db/runs/attempts.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { attemptParent } from './parent.ts';
import { presentAttempt } from './present-attempt.ts';

export const getAttempt = defineOperation({
  id: 'getAttempt',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/attempts/{attemptId}',
  scope: 'read',
  tag: 'Runs',
  summary: 'Read one simulated call',
  description:
    "Its transcript, a verdict per criterion with who decided it, problems that our own checks found, whether the simulated caller drifted, earlier scores, and the platform's raw conversation. The combined result of its cell is in the run's result document.",
  whenToUse: 'Use it to see why a cell of a run passed or failed, in the words of the conversation.',
  parents: [attemptParent],
  isLarge: true,
  response: attempt,
  async run(context) {
    const row = context.parent(attemptParent);
    const stored = await loadPlayedById(context.em, context.agent.id, row.id);
    if (!stored) throw new Failure('attempt_not_found', 'There is no attempt like this here.');
    return presentAttempt(row, stored);
  },
});
