import { lockGoal } from '../../db/goals/goals.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { closedFailure } from './require-open.ts';

/**
 * Lets a run be for a goal whose plan a person has approved and holds its tests: until the transaction ends, the plan
 * stays as it is. @returns the goal's id; null where the run is for none. @throws Failure 404 or 409
 */
export async function requireApproved(
  { em, agent }: Pick<Context, 'em' | 'agent'>,
  wanted: string | null,
  tests: readonly { id: string; title: string }[],
): Promise<string | null> {
  if (wanted === null) return null;
  const goal = await lockGoal(em, agent.id, wanted, 'share');
  if (!goal) throw new Failure('goal_not_found', 'There is no goal with this id here.', { param: 'goalId' });
  if (goal.status === 'closed') throw closedFailure();
  if (goal.approvedAt === null) {
    const message = 'Nobody has approved the plan of this goal yet. Runs for it start once a person has.';
    throw new Failure('plan_not_approved', message, { param: 'goalId' });
  }
  const outside = tests.find(({ id }) => !goal.testIds.includes(id));
  if (outside) {
    const message = `The approved plan does not hold the test "${outside.title}" (${outside.id}). A person has to approve a plan with it first.`;
    throw new Failure('plan_not_approved', message, { param: 'testIds' });
  }
  return goal.id;
}
