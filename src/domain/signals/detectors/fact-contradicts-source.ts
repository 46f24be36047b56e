import { toldTerms } from '../../calls/facts/told-terms.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FACT_CONTRADICTS_SOURCE } from '../entries/claims.ts';
import { toDetection } from '../ledger-detections.ts';
import { missingPhrases } from '../needs.ts';
import { oncePerTurn } from '../once-per-turn.ts';

/** Terms that the agent's own prompt refutes. */
export const factContradictsSource: Detector = {
  entry: FACT_CONTRADICTS_SOURCE,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.configuration?.prompt == null)
      return { reason: 'The configuration of the version that this call ran on holds no prompt.' };
    const found = toldTerms(reading).map((finding) => toDetection(reading, finding));
    return oncePerTurn(found).sort((a, b) => a.turnIndex - b.turnIndex);
  },
};
