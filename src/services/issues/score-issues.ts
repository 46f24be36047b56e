import type { EntityManager } from '../../db/database.ts';
import { loadFacts } from '../../db/evidence/load-facts.ts';
import { loadSteps } from '../../db/evidence/load-outcomes.ts';
import { rebuildEvidence } from '../../db/evidence/rebuild-evidence.ts';
import { rebuildOutcomes } from '../../db/evidence/rebuild-outcomes.ts';
import { applyStructure } from '../../db/issues/apply-structure.ts';
import { isGrouped, noteGrouped } from '../../db/issues/grouping.ts';
import { insertMissingIssues } from '../../db/issues/insert-missing-issues.ts';
import { takeBackSplits } from '../../db/issues/take-back-splits.ts';
import { writeHistory, writeStates } from '../../db/issues/write-states.ts';
import { rebuildMetrics } from '../../db/metrics/tally-calls.ts';
import { labelsOf } from '../../domain/issues/cause.ts';
import { type GroupFacts, versionTotals } from '../../domain/issues/facts.ts';
import { entryReader, rescore } from '../../domain/issues/rescore.ts';
import { type LabelOf, rescoreOutcomes } from '../../domain/issues/rescore-outcomes.ts';
import { routeKey } from '../../domain/issues/signals-to-issues.ts';
import { planStructure } from '../../domain/issues/structure.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import type { RegroupMode } from '../../temporal/agent-coordinator.ts';

export interface ScoreResult {
  /** Groups that were scored, hidden ones included. */
  issues: number;
  /** Rows that had to be written. */
  changed: number;
  /** Issues that lost their last call in this run. */
  withdrawn: number;
}

/** Cutting one group may show that another cause must leave too: each round takes at least one out. */
const STRUCTURE_ROUNDS_MAX = 20;

/**
 * Brings all issues of an agent to what its sums say, within a transaction that holds the agent's lock. `full` first
 * counts links and sums anew from the signals; both end at the same rows, and a second run writes none.
 */
export async function scoreIssues(
  tx: EntityManager,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  agentId: string,
  mode: RegroupMode,
): Promise<ScoreResult> {
  const entryOf = entryReader(catalogue);
  if (mode === 'full') {
    await insertMissingIssues(tx, agentId);
    await rebuildEvidence(tx, agentId, null);
    await rebuildOutcomes(tx, agentId, catalogue);
    await rebuildMetrics(tx, agentId);
  }
  const before = (await isGrouped(tx, agentId)) ? new Map<string, string>() : await takeBackSplits(tx, agentId);
  let facts = await loadFacts(tx, agentId, entryOf);
  for (let round = 0; round < STRUCTURE_ROUNDS_MAX; round += 1) {
    const plan = planStructure(facts.groups, entryOf);
    if (!(await applyStructure(tx, agentId, facts.groups, plan, before))) break;
    facts = await loadFacts(tx, agentId, entryOf);
  }
  const { agent, groups, digests } = facts;
  const outcomes = await loadSteps(tx, agentId, facts.outcomes, groups);
  const states = [
    ...rescore(groups, agent, catalogue),
    ...rescoreOutcomes(outcomes, agent, catalogue, placeLabels(groups)),
  ];
  const memories = new Map([...groups, ...outcomes].map((group) => [group.issueId, group.memory]));
  const changed = await writeStates(tx, states, digests);
  if (changed > 0) await writeHistory(tx, agentId, states, memories);
  await noteGrouped(tx, agentId, versionTotals(agent));
  const withdrawn = states.filter((state) => state.withdrawn && !memories.get(state.issueId)?.withdrawn).length;
  return { issues: states.length, changed, withdrawn };
}

/** What the places are called at which codes were noticed: outcome issues know them by their ids only. */
function placeLabels(groups: readonly GroupFacts[]): LabelOf {
  const labels = new Map(groups.map(({ code, place }) => [routeKey(code, place), place.label]));
  const anyCode = labelsOf(groups);
  return (code, place) => labels.get(routeKey(code, place)) ?? anyCode(place) ?? place.id;
}
