import type { Detector } from '../catalogue-entry.ts';
import { TOOL_MISSING } from '../entries/tools.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { oncePerTurn } from '../once-per-turn.ts';
import { unkeptPromises } from '../unkept-promises.ts';

/** An action that the caller confirmed or the agent promised, or a look-up that it says it can't do, for which its tool was never called. */
export const toolMissing: Detector = {
  entry: TOOL_MISSING,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    const found = oncePerTurn([...ledgerDetections(reading, 'tool_missing'), ...unkeptPromises(reading)]);
    return found.sort((a, b) => a.turnIndex - b.turnIndex);
  },
};
