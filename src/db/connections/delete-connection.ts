import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { deleteWaysIn } from '../system/hooks.ts';

const NAMED_AT_MOST = 5;

/**
 * Removes a connection with its tokens and the address of its events; in the transaction of the request.
 * @returns names of agents that use it; where there are any, nothing was removed.
 */
export async function deleteConnection(
  em: EntityManager,
  { connectionId, workspaceId }: { connectionId: string; workspaceId: string },
): Promise<string[]> {
  // Nobody connects an agent by it meanwhile.
  await db(em).selectFrom('platform_connections').where('id', '=', connectionId).select('id').forUpdate().execute();
  const agents = await db(em)
    .selectFrom('agents')
    .where('connectionId', '=', connectionId)
    .select('name')
    .orderBy('createdAt')
    .limit(NAMED_AT_MOST)
    .execute();
  if (agents.length > 0) return agents.map(({ name }) => name);
  await deleteWaysIn(em, { connectionId, workspaceId });
  await db(em).deleteFrom('platform_connections').where('id', '=', connectionId).execute();
  return [];
}
