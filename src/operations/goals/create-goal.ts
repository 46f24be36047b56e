import { goal, newGoal } from '../../contract/goal.ts';
import { publishEvent } from '../../db/events/events.ts';
import { insertGoal } from '../../db/goals/goals.ts';
import type { GoalOrigin } from '../../domain/vocabulary.ts';
import { authorOf } from '../author-of.ts';
import { defineOperation } from '../operation.ts';
import { presentNow } from './present.ts';
import { readGoal } from './read-request.ts';
import { requireTests } from './require-tests.ts';

export const createGoal = defineOperation({
  id: 'createGoal',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/goals',
  scope: 'person',
  tag: 'Goals',
  summary: 'Open a goal',
  description:
    'A request in the own words of whoever makes it. Where no tests are named, those are proposed that ask for what the words name: intents, steps, tools, open issues. A person approves the plan before runs for the goal can start.',
  body: newGoal,
  refuses: ['test_not_found'],
  response: goal,
  async run(context, { body }) {
    const { em, agent } = context;
    const { title, request } = body;
    const testIds = body.testCaseIds
      ? await requireTests(context, body.testCaseIds)
      : (await readGoal(context, body)).tests.map(({ testId }) => testId);
    const { workspaceId, id: agentId } = agent;
    const origin: GoalOrigin = context.via ?? 'api';
    const createdBy = authorOf(context.caller());
    const made = { workspaceId, agentId, title, request, origin, testIds, createdBy };
    const goalId = await insertGoal(em, made);
    await publishEvent(em, { agentId, kind: 'goal.changed', ref: goalId });
    return presentNow(context, goalId);
  },
});
