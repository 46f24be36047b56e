import { toldHours } from '../../calls/facts/told-hours.ts';
import { toldTerms } from '../../calls/facts/told-terms.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections, toDetection } from '../ledger-detections.ts';
import { missingPhrases, missingTools } from '../needs.ts';

/** A statement that a looked-up field, the agent's own prompt or its own numbers refute. */
export const factContradictsSource: Detector = {
  entry: entry({
    code: 'fact_contradicts_source',
    title: 'Statement against the record',
    klass: 'content',
    lane: 'understanding',
    severity: 'high',
    needs: ['words_of_the_talk', 'prompt'],
    isNot: 'What the caller says of themselves, a condition, or a statement that no source of this call speaks of.',
    check: 'Read at {place} where the agent has the statement from, and what the record says.',
  }),
  detect(reading) {
    const missing = missingPhrases(reading) ?? (reading.configuration?.prompt == null ? missingTools(reading) : null);
    if (missing !== null) return missing;
    const found = [
      ...ledgerDetections(reading, 'fact_contradicts_source'),
      ...[...toldHours(reading), ...toldTerms(reading)].map((finding) => toDetection(reading, finding)),
    ];
    return found.sort((a, b) => a.turnIndex - b.turnIndex);
  },
};
