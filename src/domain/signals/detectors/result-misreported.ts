import type { Detector } from '../catalogue-entry.ts';
import { RESULT_MISREPORTED } from '../entries/claims.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { oncePerTurn } from '../once-per-turn.ts';

/** What the agent tells of a result is not what the result says: another amount, another state, a value of another record. */
export const resultMisreported: Detector = {
  entry: RESULT_MISREPORTED,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? oncePerTurn(ledgerDetections(reading, 'result_misreported'));
  },
};
