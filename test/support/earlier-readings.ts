import { storeCalls } from '../../src/db/calls/store-calls.ts';
import type { Database } from '../../src/db/database.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { newId } from '../../src/ids.ts';
import { storeAnalyses } from '../../src/services/analysis/store-analyses.ts';
import { recomputeIssues } from '../../src/services/issues/recompute-issues.ts';
import { makeSignal, testVault } from './analysed-calls.ts';
import { failingCall } from './model-world.ts';

/**
 * Calls as an earlier analyser would have read them: it said `old_code` on every third instead of the tool that failed,
 * and took the first ten for resolved.
 */
export async function storeEarlierReadings(
  database: Pick<Database, 'within'>,
  agent: { workspaceId: string; agentId: string },
  count: number,
): Promise<void> {
  const em = database.within(agent.workspaceId);
  for (let at = 0; at < count; at += 100) {
    const part = Array.from({ length: Math.min(100, count - at) }, () => failingCall(newId()));
    const calls = part.map((call) => ({ payload: { id: call.providerCallId }, call }));
    const { callIds } = await storeCalls(em, { ...agent, importId: null, vault: testVault, calls });
    const analyses = callIds.map((callId, within) => {
      const now = analyseCall({ call: part[within] ?? failingCall(''), configuration: null, agentCosts: null }, {});
      const n = at + within;
      const old = makeSignal({ code: 'old_code', turnIndex: 1, quote: 'appointment', detail: 'An old rule.' });
      return {
        callId,
        analysis: {
          ...now,
          analyserVersion: ANALYSER_VERSION - 1,
          outcome: n < 10 ? ('resolved' as const) : now.outcome,
          signals: n % 3 === 0 ? [old] : now.signals,
        },
      };
    });
    await storeAnalyses(em, { ...agent, analyses });
  }
  await recomputeIssues(em, agent.agentId, 'incremental');
}
