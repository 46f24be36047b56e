import type { Detector } from '../catalogue-entry.ts';
import { CLAIMED_WITHOUT_TOOL } from '../entries/claims.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { placeAt } from '../places.ts';

/** The agent says that something is done, and no tool was called that could have done it. */
export const claimedWithoutTool: Detector = {
  entry: CLAIMED_WITHOUT_TOOL,
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    return reading
      .claims()
      .filter((claim) => claim.verdict === 'unbacked')
      .map((claim) => {
        const tools = reading.configuration?.tools ?? null;
        const tool = tools?.find((one) => claim.does(one.name))?.name ?? null;
        return {
          turnIndex: claim.turn,
          quote: claim.text,
          detail: 'The agent says that it is done; no tool result of this call backs it.',
          place: placeAt(reading, claim.turn),
          confidence: 0.6,
          facts: { kind: claim.kind, hasTool: tools === null || tools.length === 0 ? null : tool !== null, tool },
        };
      });
  },
};
