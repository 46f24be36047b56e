import type { GracePlan } from '../../domain/issues/grace-plan.ts';
import { graceEntry } from '../../temporal/grace-period.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';
import { insertOutboxEntry } from '../system/outbox.ts';

/** What an agent's issues wait for, as the last look left it, and the database's time. */
export function readGracePlan(em: EntityManager, agentId: string): Promise<{ plan: GracePlan | null; now: string }> {
  return db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(['gracePlan as plan', now.as('now')])
    .executeTakeFirstOrThrow();
}

/**
 * Has the grace workflow of an agent look again, once the caller's transaction commits. Nothing where no issue waits.
 * @param only where an issue waits for calls to be analysed.
 */
export async function orderGraceLook(em: EntityManager, agentId: string, only?: 'for analysis'): Promise<void> {
  let waiting = db(em).selectFrom('agents').where('id', '=', agentId).where('gracePlan', 'is not', null);
  if (only) {
    waiting = waiting.where((eb) =>
      eb(eb.cast<number>(eb.ref('gracePlan', '->>').key('waitForAnalysis'), 'integer'), '>', 0),
    );
  }
  const agent = await waiting.select(['workspaceId', 'name']).executeTakeFirst();
  if (!agent) return;
  const { workspaceId, name } = agent;
  await insertOutboxEntry(em, graceEntry({ agentId, workspaceId, agentName: name }), { workspaceId, agentId });
}

/** Agents of a workspace whose grace workflow must be there. */
export function agentsWithGrace(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<{ agentId: string; workspaceId: string; agentName: string }[]> {
  let agents = db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('erasing', '=', false)
    .where('gracePlan', 'is not', null);
  if (afterId !== null) agents = agents.where('id', '>', afterId);
  return agents.select(['id as agentId', 'workspaceId', 'name as agentName']).orderBy('id').limit(limit).execute();
}
