import { saysNo } from '../../calls/tool-results.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import { quoteResult } from '../quotes.ts';
import { failureFacts, TOOL_FAILURE_CAUSES } from '../tool-causes.ts';

/** A tool did not do its work. Transfers have a code of their own. */
export const toolFailed: Detector = {
  entry: entry({
    code: 'tool_failed',
    title: 'Tool failed',
    klass: 'technical',
    lane: 'integrations',
    severity: 'high',
    needs: ['tool_results'],
    fact: true,
    isNot:
      'A business refusal: "no table free at eight" or "could not verify" is an answer, and the tool that gives it works, also where the result is marked as an error.',
    causes: TOOL_FAILURE_CAUSES,
    check:
      'Look at the result of {place} on these calls: what it was given, what it answered, and whether its own log shows why.',
  }),
  detect(reading) {
    const missing = missingTools(reading);
    if (missing !== null) return missing;
    return reading.tools
      .filter((use) => use.ok === false && !use.denied && use.effect !== 'transfer')
      .map((use) => {
        const message = use.message ?? 'no message';
        // An error that only says "not found" or "not available" may be a refusal in an error's clothes.
        const businessLike =
          (use.httpStatus === null || use.httpStatus < 500) && use.message !== null && saysNo(use.message);
        return {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn === null ? '' : quoteResult(use),
          detail: `"${use.name}" failed${use.httpStatus === null ? '' : ` with status ${use.httpStatus}`}: ${message.slice(0, 200)}`,
          place: toolPlace(use),
          confidence: businessLike ? 0.6 : 1,
          facts: failureFacts(use),
        };
      });
  },
};
