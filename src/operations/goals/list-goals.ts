import { listOf } from '../../contract/common.ts';
import { goal } from '../../contract/goal.ts';
import { listGoals as readGoals } from '../../db/goals/goals.ts';
import { GOAL_STATUSES } from '../../domain/vocabulary.ts';
import { defineOperation } from '../operation.ts';
import { choiceParam, limitParam, timeCursor } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { goalParent } from './parent.ts';
import { presentGoal } from './present.ts';

export const listGoals = defineOperation({
  id: 'listGoals',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/goals',
  scope: 'read',
  tag: 'Goals',
  summary: 'List the goals of an agent',
  description: 'What people want of it, newest first, each with its plan.',
  whenToUse: 'Call it to see what people want of the agent, and which plans wait for a person to approve them.',
  query: {
    limit: limitParam(),
    cursor: timeCursor,
    status: choiceParam(GOAL_STATUSES, 'Only goals of this status.'),
  },
  response: listOf(goal),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await readGoals(context.em, scopeOf(context.agent), { status: query.status }, page);
    return context.page(rows, query.limit, presentGoal, (row) => [row.createdAt, row.id]);
  },
});

export const getGoal = defineOperation({
  id: 'getGoal',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/goals/{goalId}',
  scope: 'read',
  tag: 'Goals',
  summary: 'Read a goal',
  description: 'The request in the words of whoever made it, and its plan.',
  whenToUse: 'Call it to see whether the plan of a goal is approved, before a run is started for it.',
  parents: [goalParent],
  response: goal,
  run: async (context) => presentGoal(context.parent(goalParent)),
});
