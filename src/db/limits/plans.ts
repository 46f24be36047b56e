import { sql } from 'kysely';
import type { Platform } from '../../domain/vocabulary.ts';
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
export async function agentsWithWaitingCalls(
  em: EntityManager,
  workspaceId: string,
): Promise<{ agentId: string; workspaceId: string; name: string; provider: Platform }[]> {
  const { rows } = await sql<{ agentId: string; workspaceId: string; name: string; provider: Platform }>`
    select id as agent_id, workspace_id, name, provider from agents
    where workspace_id = ${workspaceId} and source <> 'demo' and exists (
      select 1 from calls where agent_id = agents.id and state = 'waiting' and (state <> 'analysed' or reanalyse))
    order by id
  `.execute(db(em));
  return rows;
}
