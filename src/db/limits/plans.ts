import type { Platform } from '../../domain/vocabulary.ts';
import { hasWaitingCalls } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Connected agents; those of the demo platform are not counted. */
export async function countAgents(em: EntityManager, workspaceId: string): Promise<number> {
  const { agents } = await db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('source', '<>', 'demo')
    .select((eb) => eb.fn.countAll<number>().as('agents'))
    .executeTakeFirstOrThrow();
  return agents;
}

/** Agents of a workspace with calls that wait for their analysis, but for the demo's, which wait for no allowance. */
export function agentsWithWaitingCalls(
  em: EntityManager,
  workspaceId: string,
): Promise<{ agentId: string; workspaceId: string; name: string; provider: Platform }[]> {
  return db(em)
    .selectFrom('agents')
    .where('workspaceId', '=', workspaceId)
    .where('source', '<>', 'demo')
    .where((eb) => hasWaitingCalls(eb.ref('agents.id')))
    .select(['id as agentId', 'workspaceId', 'name', 'provider'])
    .orderBy('id')
    .execute();
}
