import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';

/** What the agent tells of a result is not what the result says: another amount, another state, a value of another record. */
export const resultMisreported: Detector = {
  entry: entry({
    code: 'result_misreported',
    title: 'Result told wrongly',
    klass: 'content',
    lane: 'integrations',
    severity: 'critical',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot:
      'A rounded or summed amount, a state that a later result gave, or an amount of which the result says nothing.',
    check: 'Lay what the agent said beside what {place} answered on these calls.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'result_misreported');
  },
};
