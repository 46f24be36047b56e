import { agentCosts } from '../../domain/signals/agent-costs.ts';
import type { AgentCosts } from '../../domain/signals/detector-input.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** What the agent's calls cost, from sums: it takes the same time however many calls there are. */
export async function readAgentCosts(em: EntityManager, agentId: string): Promise<AgentCosts> {
  const rows = await db(em).selectFrom('cost_bins').where('agentId', '=', agentId).select(['bin', 'calls']).execute();
  return agentCosts(new Map(rows.map(({ bin, calls }) => [bin, calls])));
}
