import { loadAgentSource } from '../../db/agents/agent-source.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { callsOfDoubtfulCost } from '../../db/analysis/doubtful-costs.ts';
import type { EntityManager } from '../../db/database.ts';
import { readAgentCosts } from '../../db/metrics/agent-costs.ts';
import { usualCosts } from '../../domain/signals/agent-costs.ts';
import { enoughCosts, renewCost } from '../../domain/signals/renew-cost.ts';
import { renewStanding } from './renew-standing.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

const CALLS_AT_ONCE = 100;

/**
 * Compares an agent's calls with what its calls cost now and brings the readings of those to it that say otherwise: calls
 * that are expensive and not called so, that are called expensive and are not, and that name other figures. Because it compares
 * what should be with what is, neither the order of imports nor where a run ended makes a difference. A page is one
 * transaction under the agent's lock; pages go by the ids of calls, so that a run ends whatever comes in meanwhile.
 * @returns calls whose reading changed.
 */
export async function reviewCosts(em: EntityManager, owner: Owner): Promise<number> {
  let changed = 0;
  for (let after: string | null = null; ; ) {
    const page = await em.transactional((tx) => reviewPage(tx, owner, after));
    changed += page.changed;
    if (page.lastId === null) return changed;
    after = page.lastId;
  }
}

async function reviewPage(em: EntityManager, owner: Owner, after: string | null) {
  const { agentId } = owner;
  await lockAgent(em, agentId);
  const thresholds = (await loadAgentSource(em, agentId))?.thresholds ?? {};
  const usual = enoughCosts(await readAgentCosts(em, agentId), thresholds);
  const rows = await callsOfDoubtfulCost(em, agentId, {
    after,
    limit: CALLS_AT_ONCE,
    dearAboveUsd: usual?.dearAboveUsd ?? Number.POSITIVE_INFINITY,
    said: usual ? usualCosts(usual.costs) : '',
  });
  const costs = new Map(rows.map(({ id, costUsd }) => [id, costUsd]));
  const changed = await renewStanding(em, owner, [...costs.keys()], (reading, callId) =>
    renewCost(reading, costs.get(callId) ?? null, usual?.costs ?? null, thresholds),
  );
  return { changed, lastId: rows.length < CALLS_AT_ONCE ? null : (rows.at(-1)?.id ?? null) };
}
