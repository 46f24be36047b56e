import { goal, planApproval } from '../../contract/goal.ts';
import { publishEvent } from '../../db/events/events.ts';
import { approvePlan } from '../../db/goals/goals.ts';
import { defineOperation } from '../operation.ts';
import { goalParent } from './parent.ts';
import { presentNow } from './present.ts';
import { closedFailure } from './require-open.ts';
import { requireTests } from './require-tests.ts';

export const approveGoalPlan = defineOperation({
  id: 'approveGoalPlan',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/goals/{goalId}/approve-plan',
  scope: 'person',
  inPerson: true,
  tag: 'Goals',
  summary: 'Approve the plan of a goal',
  description:
    'These tests are the plan from now on, and runs for the goal may be started with them; none at all is a plan too. Approved again, the new list takes the place of the one before. Keys and the copilot are refused (403 people_only).',
  parents: [goalParent],
  body: planApproval,
  refuses: ['test_not_found', 'goal_closed'],
  response: goal,
  async run(context, { body }) {
    const { em, agent } = context;
    const { id: goalId } = context.parent(goalParent);
    const testIds = await requireTests(context, body.testCaseIds);
    if (!(await approvePlan(em, goalId, { testIds, approvedBy: context.person().personId }))) throw closedFailure();
    await publishEvent(em, { agentId: agent.id, kind: 'goal.changed', ref: goalId });
    return presentNow(context, goalId);
  },
});
