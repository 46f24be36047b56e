import { type GoalRun, playedCells, runsOfGoal } from '../../db/goals/goal-runs.ts';
import type { GoalView } from '../../db/goals/goals.ts';
import { type GoalProgress, progressOf } from '../../domain/goals/progress.ts';
import type { Context } from '../operation.ts';

/** The runs of a goal, and how its tests did in them. */
export async function readProgress(
  { em }: Context,
  { id, testIds }: Pick<GoalView, 'id' | 'testIds'>,
): Promise<{ runs: GoalRun[]; progress: GoalProgress }> {
  const runs = await runsOfGoal(em, id);
  return { runs, progress: progressOf(testIds, await playedCells(em, runs)) };
}
