import { otherDaysHours } from '../../calls/facts/other-days-hours.ts';
import { toldHours } from '../../calls/facts/told-hours.ts';
import { toldTerms } from '../../calls/facts/told-terms.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FACT_CONTRADICTS_SOURCE } from '../entries/claims.ts';
import { ledgerDetections, toDetection } from '../ledger-detections.ts';
import { missingPhrases, missingTools } from '../needs.ts';
import { oncePerTurn } from '../once-per-turn.ts';

/** A statement that a looked-up field, the agent's own prompt or its own numbers refute. */
export const factContradictsSource: Detector = {
  entry: FACT_CONTRADICTS_SOURCE,
  detect(reading) {
    const missing = missingPhrases(reading) ?? (reading.configuration?.prompt == null ? missingTools(reading) : null);
    if (missing !== null) return missing;
    const found = [
      ...ledgerDetections(reading, 'fact_contradicts_source'),
      ...[...toldHours(reading), ...otherDaysHours(reading), ...toldTerms(reading)].map((finding) =>
        toDetection(reading, finding),
      ),
    ];
    return oncePerTurn(found).sort((a, b) => a.turnIndex - b.turnIndex);
  },
};
