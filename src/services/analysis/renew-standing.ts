import type { EntityManager } from '../../db/database.ts';
import { asAnalysis, standingReadings } from '../../db/reanalyses/shadow-readings.ts';
import { withoutReading } from '../../domain/reading/merge-reading.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import { storeAnalyses } from './store-analyses.ts';

/**
 * Lays what is known now beside the readings of calls, which otherwise stand as they were read; a model's reading is laid
 * beside the new one again. Within the transaction of the caller, who holds the agent's lock.
 * @param renew null where the reading says it already.
 * @returns how many readings changed.
 */
export async function renewStanding(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callIds: readonly string[],
  renew: (reading: CallAnalysis, callId: string) => CallAnalysis | null,
): Promise<number> {
  if (callIds.length === 0) return 0;
  const standing = await standingReadings(em, callIds);
  const analyses = standing.flatMap((reading) => {
    const { callId, payloadDigest } = reading;
    const analysis = renew(withoutReading(asAnalysis(reading)), callId);
    return analysis === null ? [] : [{ callId, payloadDigest, analysis }];
  });
  await storeAnalyses(em, { ...owner, analyses });
  return analyses.length;
}
