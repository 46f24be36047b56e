import { lockAgent } from '../../src/db/agents/lock-agent.ts';
import type { EntityManager } from '../../src/db/database.ts';
import type { CatalogueEntry } from '../../src/domain/signals/catalogue-entry.ts';
import { type ScoreResult, scoreIssues as score } from '../../src/services/issues/score-issues.ts';

/** Brings an agent's issues to what its sums say, without what time does to them. */
export function scoreIssues(
  em: EntityManager,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  agentId: string,
  mode: 'incremental' | 'full',
): Promise<ScoreResult> {
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    return score(tx, catalogue, agentId, mode);
  });
}
