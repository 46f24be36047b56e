import { lockAgent } from '../../db/agents/lock-agent.ts';
import { loadContext, type StandingCall } from '../../db/analysis/analysis-context.ts';
import type { EntityManager } from '../../db/database.ts';
import { eraseConversations } from '../../db/erasures/erase-copilot.ts';
import { dropEmptyIntents, uncountIntents } from '../../db/erasures/erase-intents.ts';
import { eraseRecords, forgetAnswers, forgetMessages } from '../../db/erasures/erase-records.ts';
import { eraseRows, eraseVerdicts, refsOf, settleCallers } from '../../db/erasures/erase-rows.ts';
import { eraseTests } from '../../db/erasures/erase-tests.ts';
import { type Removed, RemovedRows } from '../../db/erasures/removed.ts';
import { markErased } from '../../db/erasures/tombstones.ts';
import { writeRollups } from '../../db/evidence/write-rollups.ts';
import { dropEmptySums, tallyCalls } from '../../db/metrics/tally-calls.ts';
import { createLedger } from '../../domain/issues/ledger.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { mayLeadIn } from '../../domain/signals/may-lead.ts';
import type { Vault } from '../../secrets.ts';
import { standingEvidence } from '../analysis/standing-evidence.ts';

export interface ErasingKnowledge {
  vault: Pick<Vault, 'keyedHash'>;
  catalogue: ReadonlyMap<string, CatalogueEntry>;
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/**
 * Takes calls out of everything that knows of them, within a transaction: out of every sum by the differences by which
 * they came in, their records and all that quotes them, and leaves marks that keep them away. Calls that are gone already
 * are left out, so that doing it again changes nothing. At most a few hundred calls at a time.
 */
export async function eraseCalls(
  em: EntityManager,
  knows: ErasingKnowledge,
  owner: Owner,
  callIds: readonly string[],
): Promise<Removed> {
  const { agentId } = owner;
  const removed = new RemovedRows();
  await lockAgent(em, agentId);
  const context = await loadContext(em, agentId, {
    callIds: [...callIds],
    groups: [],
    profileDigests: [],
    visitSetDigests: [],
    endSteps: [],
  });
  const ids = context.calls.map(({ id }) => id);
  if (ids.length === 0) return removed.byTable;
  const analysed = context.calls.filter(({ state }) => state === 'analysed');
  const { ledger, issueIds } = ledgerWithout(analysed, context, knows.catalogue);
  const refs = await refsOf(em, ids);
  await tallyCalls(
    em,
    agentId,
    analysed.map(({ id }) => id),
    -1,
  );
  await eraseVerdicts(em, agentId, ids, removed);
  await eraseRows(em, ids, issueIds, removed);
  await writeRollups(em, agentId, ledger, { calls: [], removedFrom: analysed });
  await dropEmptySums(em, agentId);
  await uncountIntents(em, agentId, analysed);
  await dropEmptyIntents(em, agentId, analysed, removed);
  await settleCallers(em, owner, context.calls);
  const testIds = await eraseTests(em, agentId, ids, removed);
  await eraseRecords(em, agentId, refs, removed);
  await eraseConversations(em, agentId, [...ids, ...testIds], removed);
  await forgetMessages(em, agentId, issueIds, removed);
  await forgetAnswers(em, owner.workspaceId, [...ids, ...testIds], removed);
  await markErased(em, knows.vault, owner, refs);
  return removed.byTable;
}

function ledgerWithout(
  calls: readonly StandingCall[],
  { issues, outcomes }: Awaited<ReturnType<typeof loadContext>>,
  catalogue: ErasingKnowledge['catalogue'],
) {
  const ledger = createLedger();
  const issueIds = new Set<string>();
  const names = { issues, outcomes: new Map([...outcomes].map(([step, { issueId }]) => [step, issueId])) };
  const mayLead = mayLeadIn(catalogue);
  for (const call of calls) {
    const { facts, evidence } = standingEvidence(call, names, mayLead);
    ledger.remove(facts, evidence);
    for (const { issueId } of evidence) issueIds.add(issueId);
  }
  return { ledger, issueIds: [...issueIds] };
}
