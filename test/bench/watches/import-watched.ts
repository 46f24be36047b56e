import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { liveWatches } from '../../../src/db/watches/live.ts';
import { analyseAndJudge } from '../../../src/domain/signals/analyse-call.ts';
import { storeAnalyses } from '../../../src/services/analysis/store-analyses.ts';
import { testVault } from '../../support/analysed-calls.ts';
import type { BenchAgent } from '../data.ts';
import type { BenchDatabase } from '../database.ts';
import { benchCall } from '../generator.ts';
import { timed } from '../measure.ts';

const BATCH = 100;

/** The durable path of an import with the watches that are live. @returns milliseconds. */
export async function importWatched(
  database: BenchDatabase,
  agent: BenchAgent,
  from: number,
  size: number,
): Promise<number> {
  const { workspaceId, agentId } = agent;
  const em = () => database.within(workspaceId);
  let ms = 0;
  for (let at = 0; at < size; at += BATCH) {
    const calls = Array.from({ length: Math.min(BATCH, size - at) }, (_, index) => {
      const call = benchCall(from + at + index);
      return { payload: JSON.parse(JSON.stringify(call)), call };
    });
    ms += await timed(async () => {
      const { callIds } = await storeCalls(em(), { ...agent, importId: null, vault: testVault, calls });
      const loaded = await loadForAnalysis(em(), agentId, callIds);
      const by = await liveWatches(em(), agentId);
      const analyses = loaded.map(({ callId, call, configuration, payloadDigest }) => {
        const { analysis, judged } = analyseAndJudge({ call, configuration, agentCosts: null }, {}, by);
        return { callId, payloadDigest, analysis, judged: { ...judged, by } };
      });
      await storeAnalyses(em(), { workspaceId, agentId, analyses });
    });
  }
  return ms;
}
