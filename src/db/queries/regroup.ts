import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { routeKey } from '../../domain/issues/evidence.ts';
import { type GroupFacts, versionTotals } from '../../domain/issues/facts.ts';
import { entryReader, rescore } from '../../domain/issues/rescore.ts';
import { type LabelOf, rescoreOutcomes } from '../../domain/issues/rescore-outcomes.ts';
import { planStructure } from '../../domain/issues/structure.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { applyStructure } from './apply-structure.ts';
import { noteEvent } from './events.ts';
import { loadFacts } from './load-facts.ts';
import { loadSteps } from './load-outcomes.ts';
import { lockAgent } from './lock-agent.ts';
import { addMissingIssues } from './missing-issues.ts';
import { rebuildEvidence } from './rebuild-evidence.ts';
import { rebuildOutcomes } from './rebuild-outcomes.ts';
import { rebuildMetrics } from './tally-calls.ts';
import { writeHistory, writeStates } from './write-states.ts';

export type RegroupMode = 'incremental' | 'full';

export interface RegroupResult {
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
 * Brings all issues of an agent to what its sums say, in one transaction. `full` first counts links and sums anew from
 * the signals; both end at the same rows, and a second run writes none.
 * @param notes false where the caller notes the event itself, at the end of a longer transaction.
 */
export async function regroup(
  em: EntityManager,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  agentId: string,
  mode: RegroupMode,
  notes = true,
): Promise<RegroupResult> {
  const entryOf = entryReader(catalogue);
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    if (mode === 'full') {
      await addMissingIssues(tx, agentId);
      await rebuildEvidence(tx, agentId, null);
      await rebuildOutcomes(tx, agentId, catalogue);
      await rebuildMetrics(tx, agentId);
    }
    let facts = await loadFacts(tx, agentId, entryOf);
    for (let round = 0; round < STRUCTURE_ROUNDS_MAX; round += 1) {
      const plan = planStructure(facts.groups, entryOf);
      if (!(await applyStructure(tx, agentId, facts.groups, plan))) break;
      facts = await loadFacts(tx, agentId, entryOf);
    }
    const { agent, groups, digests } = facts;
    const outcomes = await loadSteps(tx, agentId, facts.outcomes);
    const states = [
      ...rescore(groups, agent, catalogue),
      ...rescoreOutcomes(outcomes, agent, catalogue, placeLabels(groups)),
    ];
    const memories = new Map([...groups, ...outcomes].map((group) => [group.issueId, group.memory]));
    const changed = await writeStates(tx, states, digests);
    if (changed > 0) await writeHistory(tx, agentId, states, memories);
    await noteGrouped(tx, agentId, JSON.stringify(versionTotals(agent)));
    const withdrawn = states.filter((state) => state.withdrawn && !memories.get(state.issueId)?.withdrawn).length;
    // Last, because it keeps others of the workspace waiting until this transaction ends.
    if (notes && changed > 0) await noteEvent(tx, { agentId, kind: 'issues.changed', ref: null });
    return { issues: states.length, changed, withdrawn };
  });
}

/** What the places are called at which codes were noticed: outcome issues know them by their ids only. */
function placeLabels(groups: readonly GroupFacts[]): LabelOf {
  const labels = new Map(groups.map(({ code, place }) => [routeKey(code, place), place.label]));
  return (code, place) => labels.get(routeKey(code, place)) ?? place.id;
}

/** `openIssueCount` counts the rows of the default list. */
async function noteGrouped(em: EntityManager, agentId: string, totals: string): Promise<void> {
  await sql`
    update agents a set open_issue_count = open.issues, grouped_revision = evidence_revision,
      version_totals = ${totals}::jsonb, updated_at = now()
    from (
      select count(*)::int as issues from issues i join agents b on b.id = i.agent_id
      where i.agent_id = ${agentId} and i.section <> 'hidden' and i.withdrawn_at is null and i.status <> 'resolved'
        and i.source = b.board_source and i.klass <> 'behaviour'
    ) open
    where a.id = ${agentId} and (a.open_issue_count, a.grouped_revision, a.version_totals)
      is distinct from (open.issues, a.evidence_revision, ${totals}::jsonb)`.execute(em.getKysely());
}
