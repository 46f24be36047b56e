import type { RetentionSet } from '../../domain/retention/retention.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';

/** Agents whose calls are kept for a time, in the order of their ids. What the demo shows to everybody stays. */
export function agentsToTend(
  em: EntityManager,
  workspaceId: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; retention: RetentionSet }[]> {
  let agents = db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('readOnly', '=', false)
    .where('erasing', '=', false)
    .select(['id', 'retention']);
  if (after !== null) agents = agents.where('id', '>', after);
  return agents.orderBy('id').limit(limit).execute();
}

/** What an agent has set apart from its workspace. */
export async function readAgentRetention(em: EntityManager, agentId: string): Promise<RetentionSet> {
  const found = db(em).selectFrom('agents').where('id', '=', agentId).select('retention');
  return (await found.executeTakeFirst())?.retention ?? {};
}

export async function setAgentRetention(em: EntityManager, agentId: string, retention: RetentionSet): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set({ retention: json(retention), updatedAt: now })
    .execute();
}
