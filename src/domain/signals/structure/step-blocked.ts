import { quoteResult } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { STEP_BLOCKED } from '../entries/claims.ts';
import { missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';

/** The business said no. Worth knowing, never a fault. */
export const stepBlocked: Detector = {
  entry: STEP_BLOCKED,
  detect(reading) {
    const missing = missingTools(reading);
    if (missing !== null) return missing;
    return reading.tools
      .filter((use) => use.blocked && use.resultTurn !== null)
      .map((use) => ({
        turnIndex: use.resultTurn ?? 0,
        quote: quoteResult(use),
        detail: `"${use.name}" answered no: ${(use.message ?? 'nothing found').slice(0, 160)}`,
        place: toolPlace(use),
        confidence: 0.8,
      }));
  },
};
