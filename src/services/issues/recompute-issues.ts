import { lockAgent } from '../../db/agents/lock-agent.ts';
import type { EntityManager } from '../../db/database.ts';
import { type NewEvent, publishEvents } from '../../db/events/events.ts';
import { isGrouped, markListed } from '../../db/issues/grouping.ts';
import { noteSpikes } from '../../db/issues/spikes.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import type { RegroupMode } from '../../temporal/agent-coordinator.ts';
import { advanceLifecycle } from './advance-lifecycle.ts';
import { withdrawRolledBack } from './record-fix.ts';
import { scoreIssues } from './score-issues.ts';

type Catalogue = ReadonlyMap<string, CatalogueEntry>;

export interface RecomputeResult {
  /** Groups that were scored, hidden ones included. */
  issues: number;
  /** Rows that had to be written. */
  changed: number;
  /** Issues that lost their last call. */
  withdrawn: number;
}

const ISSUES_CHANGED: NewEvent = { kind: 'issues.changed', ref: null };

/**
 * Brings an agent's issues to what its analysed calls and the time say, in one transaction. A second run changes nothing.
 * @param mode `full` first counts links and sums anew from the signals; both end at the same rows
 */
export async function recomputeIssues(
  em: EntityManager,
  agentId: string,
  mode: RegroupMode,
  catalogue: Catalogue = CATALOGUE,
): Promise<RecomputeResult> {
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const { moved: _, ...result } = await recompute(tx, agentId, catalogue, { scoreFirst: mode, tellsGrace: true });
    return result;
  });
}

/**
 * A look at an agent's issues because time has passed, by its grace workflow. What was stored and not grouped yet is
 * scored first, so that nothing counts as resolved while evidence against it lies in the record.
 */
export async function resolveDueIssues(
  em: EntityManager,
  agentId: string,
  catalogue: Catalogue = CATALOGUE,
): Promise<{ changed: number }> {
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const scoreFirst = (await isGrouped(tx, agentId)) ? null : 'incremental';
    const { changed, moved } = await recompute(tx, agentId, catalogue, { scoreFirst, tellsGrace: false });
    return { changed: scoreFirst === null ? moved : changed };
  });
}

/**
 * Scores, lets time and evidence act on what came out, and says what is new.
 * @param how null scores nothing at first: no evidence came
 */
async function recompute(
  tx: EntityManager,
  agentId: string,
  catalogue: Catalogue,
  how: { scoreFirst: RegroupMode | null; tellsGrace: boolean },
): Promise<RecomputeResult & { moved: number }> {
  const back = await withdrawRolledBack(tx, agentId);
  const mode = how.scoreFirst ?? (back > 0 ? 'incremental' : null);
  const scored = mode === null ? null : await scoreIssues(tx, catalogue, agentId, mode);
  const lived = await advanceLifecycle(tx, agentId, how.tellsGrace);
  // A resolved issue leads nothing, and its fix reads otherwise: ranks and folds follow the statuses.
  const again = lived.changed > 0 ? await scoreIssues(tx, catalogue, agentId, 'incremental') : null;
  const changed = back + (scored?.changed ?? 0) + lived.changed + (again?.changed ?? 0);
  const opened = await markListed(tx, agentId);
  const spikes = changed > 0 && scored !== null ? await noteSpikes(tx, agentId) : [];
  const listed = opened.map((id): NewEvent => ({ kind: 'issue.opened', ref: id }));
  await publishEvents(tx, agentId, [...listed, ...spikes, ...lived.events, ...(changed > 0 ? [ISSUES_CHANGED] : [])]);
  return { issues: scored?.issues ?? 0, changed, withdrawn: scored?.withdrawn ?? 0, moved: back + lived.changed };
}
