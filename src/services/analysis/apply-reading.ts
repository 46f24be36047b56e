import { lockAgent } from '../../db/agents/lock-agent.ts';
import { canonicalJson, storable } from '../../db/convert.ts';
import type { EntityManager } from '../../db/database.ts';
import { policyOf, readModelPolicy } from '../../db/models/model-policy.ts';
import { loadOpenReading, markLaid, writeObjective, writeObservations } from '../../db/models/model-readings.ts';
import { asAnalysis, standingReadings } from '../../db/reanalyses/shadow-readings.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import { withModel } from '../../domain/signals/lay-model.ts';
import { storeAnalyses } from './store-analyses.ts';

/**
 * Lays a kept reading beside what the rules say now, as the agent's setting has it; doing it again changes nothing.
 * Observations and the objective are written where they stand; signals and outcomes go through storing, so that every sum
 * follows by difference.
 */
export async function applyReading(em: EntityManager, agentId: string, callId: string): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const open = await loadOpenReading(tx, agentId, callId);
    const [standing] = await standingReadings(tx, [callId]);
    if (open?.reading == null || standing === undefined) return;
    const policy = policyOf(await readModelPolicy(tx, agentId));
    const before = asAnalysis(standing);
    const after = withModel(before, open.reading, policy);
    if (countsOtherwise(before, after)) {
      const { payloadDigest, workspaceId } = open;
      await storeAnalyses(tx, { workspaceId, agentId, analyses: [{ callId, payloadDigest, analysis: before }] });
    } else await writeObservations(tx, callId, after.observations);
    const objective = policy.mode === 'off' || !open.analysis.callerSpoke ? null : open.reading.objective;
    await writeObjective(tx, callId, objective);
    await markLaid(tx, callId);
  });
}

/** Whether a sum would change: observations alone are in none. */
function countsOtherwise(before: CallAnalysis, after: CallAnalysis): boolean {
  const counted = ({ signals, outcome, outcomeConfidence }: CallAnalysis) =>
    canonicalJson(storable({ signals, outcome, outcomeConfidence }));
  return counted(before) !== counted(after);
}
