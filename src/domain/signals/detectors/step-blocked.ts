import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import { quoteResult } from '../quotes.ts';

/** The business said no. Worth knowing, never a fault. */
export const stepBlocked: Detector = {
  entry: entry({
    code: 'step_blocked',
    title: 'Business said no',
    klass: 'flow',
    lane: 'integrations',
    severity: 'low',
    needs: ['tool_results'],
    fact: true,
    observation: true,
    isNot: 'A failed tool: the tool worked, and its answer was no.',
    check: 'See whether the agent offers another way when {place} says no.',
  }),
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
