import { goal, goalChange } from '../../contract/goal.ts';
import { publishEvent } from '../../db/events/events.ts';
import { proposePlan, retitleGoal } from '../../db/goals/goals.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { goalParent } from './parent.ts';
import { presentNow } from './present.ts';
import { requireOpen } from './require-open.ts';
import { requireTests } from './require-tests.ts';

export const changeGoal = defineOperation({
  id: 'changeGoal',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/goals/{goalId}',
  scope: 'person',
  tag: 'Goals',
  summary: 'Change a goal',
  description:
    'Its title, or the plan proposed. Another plan takes its approval away: until somebody approves it, no run for the goal starts. The request stays as it was made.',
  parents: [goalParent],
  body: goalChange,
  refuses: ['test_not_found', 'goal_closed'],
  response: goal,
  async run(context, { body }) {
    const { em, agent } = context;
    const { title, testCaseIds } = body;
    if (title === undefined && testCaseIds === undefined)
      throw new Failure('invalid_body', 'Name something to change.');
    const testIds = testCaseIds && (await requireTests(context, testCaseIds));
    const { id: goalId, testIds: before } = await requireOpen(context);
    if (title !== undefined) await retitleGoal(em, goalId, title);
    if (testIds && testIds.join() !== before.join()) await proposePlan(em, goalId, testIds);
    await publishEvent(em, { agentId: agent.id, kind: 'goal.changed', ref: goalId });
    return presentNow(context, goalId);
  },
});
