import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';

/** A statement that a looked-up field, or its own numbers, refute. */
export const factContradictsSource: Detector = {
  entry: entry({
    code: 'fact_contradicts_source',
    title: 'Statement against the record',
    klass: 'content',
    lane: 'understanding',
    severity: 'high',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot: 'What the caller says of themselves, a condition, or a statement that no source of this call speaks of.',
    check: 'Read at {place} where the agent has the statement from, and what the record says.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'fact_contradicts_source');
  },
};
