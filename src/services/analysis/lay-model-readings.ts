import type { EntityManager } from '../../db/database.ts';
import { keptReadings, policyOf, readModelPolicy } from '../../db/models/model-policy.ts';
import { withoutReading, withReading } from '../../domain/reading/merge-reading.ts';
import type { AnalysisToStore } from './store-batch.ts';

/**
 * Lays what a model read beside readings by rules that are about to be stored, under the agent's setting. In the
 * transaction that stores them, so that no reading is ever without what the model added, or has it twice.
 */
export async function layModelReadings(
  em: EntityManager,
  agentId: string,
  analyses: readonly AnalysisToStore[],
): Promise<AnalysisToStore[]> {
  const kept = await keptReadings(
    em,
    analyses.map(({ callId }) => callId),
  );
  const policy = kept.size === 0 ? null : policyOf(await readModelPolicy(em, agentId));
  return analyses.map((item) => {
    const found = kept.get(item.callId);
    const isOfRecord = item.payloadDigest === undefined || item.payloadDigest === found?.payloadDigest;
    if (found === undefined || !isOfRecord || policy === null) {
      return { ...item, analysis: withoutReading(item.analysis) };
    }
    return { ...item, analysis: withReading(item.analysis, found.reading, policy), read: found.verdicts };
  });
}
