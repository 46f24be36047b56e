import type { Detector } from '../catalogue-entry.ts';
import { RESULT_MISREPORTED } from '../entries/claims.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';

/** What the agent tells of a result is not what the result says: another amount, another state, a value of another record. */
export const resultMisreported: Detector = {
  entry: RESULT_MISREPORTED,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    // Several rules may see one and the same slip.
    const seen = new Set<number>();
    return ledgerDetections(reading, 'result_misreported').filter(
      ({ turnIndex }) => !seen.has(turnIndex) && seen.add(turnIndex),
    );
  },
};
