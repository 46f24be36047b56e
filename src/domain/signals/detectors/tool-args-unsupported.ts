import type { Detector } from '../catalogue-entry.ts';
import { TOOL_ARGS_UNSUPPORTED } from '../entries/tools.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';

/** A tool was given a value that nobody had said, looked up or configured, or a choice that nobody had made. */
export const toolArgsUnsupported: Detector = {
  entry: TOOL_ARGS_UNSUPPORTED,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'tool_args_unsupported');
  },
};
