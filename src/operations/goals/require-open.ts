import { type GoalView, lockGoal } from '../../db/goals/goals.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { goalParent } from './parent.ts';

export const closedFailure = () => new Failure('goal_closed', 'This goal is closed: its plan stays as it was.');

/** The goal of the path, held until the transaction ends. @throws Failure 409 where it is closed */
export async function requireOpen(context: Context): Promise<GoalView> {
  const goal = await lockGoal(context.em, context.agent.id, context.parent(goalParent).id);
  if (!goal || goal.status === 'closed') throw closedFailure();
  return goal;
}
