import type { GoalResource } from '../../contract/goal.ts';
import { findGoal, type GoalView } from '../../db/goals/goals.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export function presentGoal(row: GoalView): GoalResource {
  return {
    object: 'goal',
    id: row.id,
    agentId: row.agentId,
    title: row.title,
    request: row.request,
    origin: row.origin,
    status: row.status,
    conversationId: row.conversationId,
    plan: {
      approved: row.approvedAt !== null,
      approvedAt: row.approvedAt,
      approvedBy: row.approvedBy,
      testCaseIds: row.testIds,
    },
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** The goal as it is now. */
export async function presentNow({ em, agent }: Context, goalId: string): Promise<GoalResource> {
  const row = await findGoal(em, scopeOf(agent), goalId);
  if (!row) throw new Error('A goal that was just written is not there.');
  return presentGoal(row);
}
