import type { GoalStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

export type GoalView = Row<'goals'>;

const within = (em: EntityManager, scope: ReadScope) =>
  db(em).selectFrom('goals').where('agentId', '=', anyAgent(scope)).selectAll();

export async function findGoal(em: EntityManager, scope: ReadScope, goalId: string): Promise<GoalView | null> {
  return (await within(em, scope).where('id', '=', goalId).executeTakeFirst()) ?? null;
}

/**
 * Held until the transaction ends.
 * @param strength `share` lets others hold it as well, and keeps it from changing.
 */
export async function lockGoal(
  em: EntityManager,
  agentId: string,
  goalId: string,
  strength: 'update' | 'share' = 'update',
): Promise<GoalView | null> {
  const goal = db(em).selectFrom('goals').where('id', '=', goalId).where('agentId', '=', agentId).selectAll();
  return (await (strength === 'share' ? goal.forShare() : goal.forUpdate()).executeTakeFirst()) ?? null;
}

/** Newest first; the order never changes. */
export function listGoals(
  em: EntityManager,
  scope: ReadScope,
  filter: { status: GoalStatus | null },
  page: ListPage,
): Promise<GoalView[]> {
  let goals = within(em, scope);
  if (filter.status) goals = goals.where('status', '=', filter.status);
  return newestFirst(goals, ['createdAt', 'id'], page).execute();
}

/** Whether an agent has or had goals. */
export async function hasGoals(em: EntityManager, agentId: string): Promise<boolean> {
  const any = db(em).selectFrom('goals').where('agentId', '=', agentId).select('id').limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** The words of the oldest goal that somebody made. */
export async function firstGoalBy(
  em: EntityManager,
  agentId: string,
  createdBy: string,
): Promise<Pick<GoalView, 'title' | 'request'> | null> {
  const goal = await db(em)
    .selectFrom('goals')
    .where('agentId', '=', agentId)
    .where('createdBy', '=', createdBy)
    .select(['title', 'request'])
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst();
  return goal ?? null;
}

export type NewGoal = Pick<
  GoalView,
  'workspaceId' | 'agentId' | 'title' | 'request' | 'origin' | 'testIds' | 'createdBy'
> & { conversationId?: string | null };

/** Open, its plan a proposal; what is live now is what came before it. @returns its id. */
export async function insertGoal(em: EntityManager, made: NewGoal): Promise<string> {
  const id = newId();
  const { workspaceId, agentId, title, request, origin, testIds, createdBy } = made;
  const conversationId = made.conversationId ?? null;
  await db(em)
    .insertInto('goals')
    .values((eb) => ({
      id,
      workspaceId,
      agentId,
      title,
      request,
      origin,
      conversationId,
      testIds,
      fromVersion: eb.selectFrom('agents').where('agents.id', '=', agentId).select('currentVersion').$asScalar(),
      createdBy,
    }))
    .execute();
  return id;
}

/** Another plan is a proposal until somebody approves it. */
export async function proposePlan(em: EntityManager, goalId: string, testIds: string[]): Promise<void> {
  const proposal = { testIds, approvedAt: null, approvedBy: null, updatedAt: now };
  await db(em).updateTable('goals').where('id', '=', goalId).set(proposal).execute();
}

export async function retitleGoal(em: EntityManager, goalId: string, title: string): Promise<void> {
  await db(em).updateTable('goals').where('id', '=', goalId).set({ title, updatedAt: now }).execute();
}

/** @returns false where it is closed: then nothing was approved. */
export async function approvePlan(
  em: EntityManager,
  goalId: string,
  { testIds, approvedBy }: { testIds: string[]; approvedBy: string },
): Promise<boolean> {
  const approved = await db(em)
    .updateTable('goals')
    .where('id', '=', goalId)
    .where('status', '=', 'open')
    .set({ testIds, approvedBy, approvedAt: now, updatedAt: now })
    .returning('id')
    .executeTakeFirst();
  return approved !== undefined;
}

export async function closeGoal(
  em: EntityManager,
  goalId: string,
  closing: Pick<GoalView, 'outcome' | 'closingFigures' | 'closedBy'>,
): Promise<void> {
  const { outcome, closingFigures, closedBy } = closing;
  await db(em)
    .updateTable('goals')
    .where('id', '=', goalId)
    .set({ status: 'closed', outcome, closingFigures, closedBy, closedAt: now, updatedAt: now })
    .execute();
}

/** Names the talk with the copilot that a goal came from. */
export async function noteTalk(em: EntityManager, goalId: string, conversationId: string): Promise<void> {
  await db(em).updateTable('goals').where('id', '=', goalId).set({ conversationId }).execute();
}
