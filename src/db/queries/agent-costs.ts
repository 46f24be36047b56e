import { sql } from 'kysely';
import { type AgentCosts, agentCosts } from '../../domain/signals/agent-costs.ts';
import type { EntityManager } from '../database.ts';

/** What the agent's calls cost, from sums: it takes the same time however many calls there are. */
export async function readAgentCosts(em: EntityManager, agentId: string): Promise<AgentCosts> {
  const { rows } = await sql<{ bin: number; calls: number }>`
    select bin, calls from cost_bins where agent_id = ${agentId}`.execute(em.getKysely());
  return agentCosts(new Map(rows.map(({ bin, calls }) => [bin, calls])));
}
