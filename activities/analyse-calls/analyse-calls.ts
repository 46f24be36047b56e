import { activityInfo, sleep } from '@temporalio/activity';
import { AnalysisFailed } from '../../src/analyser/analyser.ts';
import type { AgentSource } from '../../src/db/agents/agent-source.ts';
import { type CallToAnalyse, loadForAnalysis, markCallsFailed } from '../../src/db/analysis/load-for-analysis.ts';
import { isDatabaseAway } from '../../src/db/away.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { callStates, changeAnalysisTries } from '../../src/db/imports/import-records.ts';
import { coveredCalls } from '../../src/db/limits/allowance.ts';
import { searchedCall } from '../../src/db/search/write-search.ts';
import { soundsToHear } from '../../src/db/sound/sounds.ts';
import { type LiveWatch, liveWatches } from '../../src/db/watches/live.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import type { AnalysisToStore } from '../../src/services/analysis/store-batch.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import type { FailureReason, HeldBack } from '../../src/temporal/import-calls.ts';
import { soundReaderEntry } from '../../src/temporal/sound-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { requireSource } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { handToModel, noteOnReading } from './hand-to-model.ts';

export interface AnalyseRequest {
  workspaceId: string;
  agentId: string;
  /** At most 100. */
  callIds: string[];
}

export interface AnalyseResult {
  analysed: number;
  failed: number;
  reasons: FailureReason[];
  /** Calls that the plan's allowance does not cover: they stay waiting. */
  held: HeldBack | null;
  /** What whoever asked for it should hear, in words. */
  note: string | null;
}

/** What the agent's settings say about reading its calls. */
type Rules = Pick<AgentSource, 'thresholds' | 'phraseRules' | 'toolRules'> & { watches: LiveWatch[] };

/**
 * A call during whose analysis the worker died this often, alone, is put aside. Most deaths of a worker have nothing to do
 * with the call in its hands, and that call comes first after the restart: with two deaths, 5 of 5,850 innocent calls were
 * put aside while 239 processes and servers were killed at random.
 */
const DEATHS_OF_A_CALL = 5;
const ASK_AGAIN_MS = 1_000;

/**
 * Analyses a window of calls. A call that cannot be analysed is marked with its reason and the others finish. When an
 * earlier attempt at the window ended with its process, each call is taken alone, so that the one at fault is found.
 */
export function createAnalyseCalls(deps: ActivityDeps) {
  return async function analyseCalls(request: AnalyseRequest): Promise<AnalyseResult> {
    let done = 0;
    return withHeartbeat(
      () => ({ done }),
      async () => {
        const em = deps.database.within(request.workspaceId);
        const source = await requireSource(em, request.agentId);
        const rules = { ...source, watches: await liveWatches(em, request.agentId) };
        const before = await callStates(em, request.callIds);
        const waiting = request.callIds.filter((id) => before.get(id)?.state === 'waiting');
        const { callIds: todo } = await coveredCalls(em, request, waiting);
        const diedBefore = todo.some((id) => (before.get(id)?.tries ?? 0) > 0);
        if (activityInfo().attempt === 1 && !diedBefore) {
          await analyseWindow(deps, em, request, rules, todo);
        } else {
          for (const callId of todo) {
            await analyseAlone(deps, em, request, rules, callId, before.get(callId)?.tries ?? 0);
            done += 1;
          }
        }
        await handToModel(deps, em, request, request.callIds);
        if (source.hearsRecordings) await handToListener(em, request);
        return {
          ...(await countStates(em, request)),
          note: await noteOnReading(deps, em, { ...request, leavesOutNames: source.leavesOutNames }),
        };
      },
    );
  };
}

async function analyseAlone(
  deps: ActivityDeps,
  em: EntityManager,
  owner: AnalyseRequest,
  rules: Rules,
  callId: string,
  tries: number,
): Promise<void> {
  if (tries >= DEATHS_OF_A_CALL) {
    const reason = `The analysing process ended ${tries} times during this call, so it was put aside.`;
    await markCallsFailed(em, [callId], reason);
    return;
  }
  await changeAnalysisTries(em, callId, 1);
  try {
    await analyseWindow(deps, em, owner, rules, [callId]);
  } catch (error) {
    // The process lives: its try was no death, however long PostgreSQL has no room or does not answer.
    await onceDatabaseIsBack(() => changeAnalysisTries(em, callId, -1));
    throw error;
  }
}

async function onceDatabaseIsBack(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
    await sleep(ASK_AGAIN_MS);
  }
}

async function analyseWindow(
  deps: ActivityDeps,
  em: EntityManager,
  owner: AnalyseRequest,
  rules: Rules,
  callIds: string[],
): Promise<void> {
  const calls = await loadForAnalysis(em, owner.agentId, callIds);
  const analyses: AnalysisToStore[] = [];
  const failures = new Map<string, string[]>();
  const settled = await Promise.all(calls.map((item) => analyseOne(deps, owner.workspaceId, item, rules)));
  for (const result of settled) {
    if ('analysis' in result) analyses.push(result);
    else failures.set(result.reason, [...(failures.get(result.reason) ?? []), result.callId]);
  }
  await storeEach(em, owner, analyses);
  for (const [reason, ids] of failures) await markCallsFailed(em, ids, reason);
}

async function analyseOne(
  { analyser }: ActivityDeps,
  workspaceId: string,
  { callId, payloadDigest, call, configuration, callerHistory }: CallToAnalyse,
  { thresholds, phraseRules, toolRules, watches }: Rules,
): Promise<AnalysisToStore | { callId: string; reason: string }> {
  try {
    // What is expensive shows once all calls are in: `reviewCosts` says it with the grouping.
    const input = { call, configuration, callerHistory, phraseRules, toolRules, agentCosts: null };
    const { analysis, judged } = await analyser.analyseAndJudge(workspaceId, input, thresholds, watches);
    return { callId, payloadDigest, analysis, judged: { ...judged, by: watches }, searched: searchedCall(call) };
  } catch (error) {
    if (error instanceof AnalysisFailed) return { callId, reason: error.message };
    throw error;
  }
}

/** One transaction for the window; where PostgreSQL refuses it, one per call, and the one at fault is marked. */
async function storeEach(em: EntityManager, owner: AnalyseRequest, analyses: AnalysisToStore[]): Promise<void> {
  if (analyses.length === 0) return;
  const { workspaceId, agentId } = owner;
  try {
    await storeAnalyses(em, { workspaceId, agentId, analyses });
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const [only, ...others] = analyses;
    if (only && others.length === 0) {
      const reason = `The analysis could not be stored (${error instanceof Error ? error.name : 'unknown error'}).`;
      await markCallsFailed(em, [only.callId], reason);
      return;
    }
    for (const analysis of analyses) await storeEach(em, owner, [analysis]);
  }
}

/** Wakes who hears the recordings of the agent's calls, where one of them has a recording to be heard. */
async function handToListener(em: EntityManager, { workspaceId, agentId }: AnalyseRequest): Promise<void> {
  const { callIds } = await soundsToHear(em, agentId, 1);
  if (callIds.length === 0) return;
  await addToOutbox(em, { entry: soundReaderEntry({ workspaceId, agentId }), workspaceId, agentId });
}

/** Counted from the record, so that a second attempt says the same as the first would have. */
async function countStates(em: EntityManager, request: AnalyseRequest): Promise<Omit<AnalyseResult, 'note'>> {
  const states = await callStates(em, request.callIds);
  const inState = (wanted: string) => request.callIds.filter((id) => states.get(id)?.state === wanted);
  const failed = inState('failed');
  const byReason = Map.groupBy(failed, (id) => states.get(id)?.reason ?? 'No reason was given.');
  return {
    analysed: inState('analysed').length,
    failed: failed.length,
    reasons: [...byReason].map(([reason, calls]) => ({ reason, calls: calls.length })),
    held: await heldBack(em, request, inState('waiting')),
  };
}

async function heldBack(em: EntityManager, owner: AnalyseRequest, waiting: string[]): Promise<HeldBack | null> {
  const { callIds, heldUntil } = await coveredCalls(em, owner, waiting);
  return heldUntil === null ? null : { calls: waiting.length - callIds.length, until: heldUntil };
}
