import type { Detector } from '../catalogue-entry.ts';
import { TOOL_MISSING } from '../entries/tools.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';

/** An action that the caller confirmed, or a look-up that the agent says it can't do, for which its tool was never called. */
export const toolMissing: Detector = {
  entry: TOOL_MISSING,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'tool_missing');
  },
};
