import type { EntityManager } from '../../db/database.ts';
import { firstGoalBy, hasGoals, insertGoal } from '../../db/goals/goals.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import { readRequest } from '../../domain/goals/choose-plan.ts';
import type { ReadyGoal } from '../../domain/goals/ready-goal.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';

/** Gives a demo agent an open goal with a proposed plan, once: one that has any, closed ones too, is left as it is. */
export async function ensureDemoGoal(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  goal: ReadyGoal | null,
): Promise<void> {
  if (goal === null || (await hasGoals(em, agentId))) return;
  const { tests } = await loadTestsForRun(em, agentId, { all: true });
  const all = tests.map(({ id, title, spec }) => ({ id, title, names: [title, spec.caller.goal] }));
  const testIds = readRequest(`${goal.title}\n${goal.request}`, [], all).tests.map(({ testId }) => testId);
  await insertGoal(em, { ...goal, workspaceId, agentId, testIds, origin: 'api', createdBy: EARSHOT });
}

/** The goal that came with a shared demo agent, for a copy of it. */
export async function readyGoalOf(em: EntityManager, agentId: string): Promise<ReadyGoal | null> {
  return firstGoalBy(em, agentId, EARSHOT);
}
