import { lockAgent } from '../../db/agents/lock-agent.ts';
import { canonicalJson, storable } from '../../db/convert.ts';
import type { EntityManager } from '../../db/database.ts';
import { policyOf, readModelPolicy } from '../../db/models/model-policy.ts';
import { loadOpenReading, markLaid } from '../../db/models/model-readings.ts';
import { asAnalysis, standingReadings } from '../../db/reanalyses/shadow-readings.ts';
import { withoutReading, withReading } from '../../domain/reading/merge-reading.ts';
import { storeAnalyses } from './store-analyses.ts';

/**
 * Lays a kept reading beside what the rules say now, as the agent's setting has it; doing it again changes nothing. What
 * changed goes through storing, so that every sum follows by difference.
 */
export async function applyReading(em: EntityManager, agentId: string, callId: string): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const open = await loadOpenReading(tx, agentId, callId);
    const [standing] = await standingReadings(tx, [callId]);
    if (open === null || standing === undefined) return;
    const before = asAnalysis(standing);
    const after = withReading(before, open.reading?.checked ?? null, policyOf(await readModelPolicy(tx, agentId)));
    const saysOfWatches = (open.reading?.verdicts ?? []).length > 0;
    if (saysOfWatches || canonicalJson(storable(before)) !== canonicalJson(storable(after))) {
      const { payloadDigest, workspaceId } = open;
      const analysis = withoutReading(before);
      await storeAnalyses(tx, { workspaceId, agentId, analyses: [{ callId, payloadDigest, analysis }] });
    }
    await markLaid(tx, callId);
  });
}
