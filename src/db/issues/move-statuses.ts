import type { GracePlan } from '../../domain/issues/grace-plan.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { given, json, now } from '../expressions.ts';

export interface StatusMove {
  id: string;
  from: IssueStatus;
  to: IssueStatus;
}

/**
 * Moves issues, but only those that still have the status that they were judged by: a person who was faster wins.
 * @param resolvedAtMs what counts as the time of those that are resolved
 * @returns the ids of those that were moved
 */
export async function moveStatuses(
  em: EntityManager,
  agentId: string,
  moves: readonly StatusMove[],
  resolvedAtMs: number,
): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const resolvedAt = new Date(resolvedAtMs).toISOString();
  const judged = moves.map(({ id, from, to }) => ({ issueId: id, fromStatus: from, toStatus: to }));
  const moved = await db(em)
    .updateTable('issues')
    .from(given('issue_history', judged))
    .whereRef('issues.id', '=', 'given.issueId')
    .where('issues.agentId', '=', agentId)
    .whereRef('issues.status', '=', 'given.fromStatus')
    .set((eb) => ({
      status: eb.ref('given.toStatus'),
      reopenedAt: null,
      resolvedAt: eb
        .case()
        .when('given.toStatus', '=', 'resolved')
        .then(eb.cast<string>(eb.val(resolvedAt), 'timestamptz'))
        .end(),
      updatedAt: now,
    }))
    .returning('issues.id')
    .execute();
  return new Set(moved.map(({ id }) => id));
}

/** Keeps what the agent's issues wait for. @returns the agent where that moved; null where nothing did, or nothing waits yet */
export async function keepGracePlan(
  em: EntityManager,
  agentId: string,
  plan: GracePlan,
): Promise<{ workspaceId: string; name: string } | null> {
  const waits = plan.open > 0 || plan.nextAt !== null;
  let agent = db(em).updateTable('agents').where('id', '=', agentId).where('gracePlan', 'is distinct from', json(plan));
  if (!waits) agent = agent.where('gracePlan', 'is not', null);
  const moved = await agent
    .set({ gracePlan: json(plan) })
    .returning(['workspaceId', 'name'])
    .executeTakeFirst();
  return moved ?? null;
}
