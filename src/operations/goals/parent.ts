import { findGoal, type GoalView } from '../../db/goals/goals.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const goalParent: Parent<GoalView> = {
  param: 'goalId',
  notFound: 'goal_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findGoal(em, scopeOf(agent), id) : null),
};
