import { loadAgentSource } from '../../db/agents/agent-source.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { callersToReview, callsOfDoubtfulHistory, dropReviewed } from '../../db/analysis/doubtful-histories.ts';
import type { EntityManager } from '../../db/database.ts';
import { renewHistory } from '../../domain/signals/renew-history.ts';
import { renewStanding } from './renew-standing.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

const CALLERS_AT_ONCE = 100;
const READINGS_AT_ONCE = 100;

/**
 * Brings the readings of callers' calls to what is known now of their other calls. Because it compares what should be
 * with what is, neither the order of imports nor of discoveries, renames and merges makes a difference. A page is one
 * transaction under the agent's lock and ends with its callers off the list, so storing it lists nobody anew.
 * @returns calls whose reading changed.
 */
export async function reviewCallers(em: EntityManager, owner: Owner): Promise<number> {
  let changed = 0;
  for (;;) {
    const page = await em.transactional((tx) => reviewPage(tx, owner));
    changed += page.changed;
    if (page.callers < CALLERS_AT_ONCE) return changed;
  }
}

async function reviewPage(em: EntityManager, owner: Owner): Promise<{ callers: number; changed: number }> {
  const { agentId } = owner;
  await lockAgent(em, agentId);
  const callerKeys = await callersToReview(em, agentId, CALLERS_AT_ONCE);
  if (callerKeys.length === 0) return { callers: 0, changed: 0 };
  const thresholds = (await loadAgentSource(em, agentId))?.thresholds ?? {};
  const doubtful = await callsOfDoubtfulHistory(em, agentId, callerKeys, thresholds);
  let changed = 0;
  for (let at = 0; at < doubtful.length; at += READINGS_AT_ONCE) {
    const histories = new Map(doubtful.slice(at, at + READINGS_AT_ONCE).map(({ id, history }) => [id, history]));
    changed += await renewStanding(em, owner, [...histories.keys()], (reading, callId) => {
      const history = histories.get(callId);
      return history ? renewHistory(reading, history, thresholds) : null;
    });
  }
  await dropReviewed(em, agentId, callerKeys);
  return { callers: callerKeys.length, changed };
}
