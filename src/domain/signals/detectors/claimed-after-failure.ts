import type { Detector } from '../catalogue-entry.ts';
import { FAILURE_NOT_HANDLED, failureHandling } from '../claim-causes.ts';
import { entry } from '../entry.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { placeAt, toolPlace } from '../places.ts';

/** The agent says that it is done although the tool's last result was an error, or a refusal. */
export const claimedAfterFailure: Detector = {
  entry: entry({
    code: 'claimed_after_failure',
    title: 'Success claimed after a failure',
    klass: 'content',
    lane: 'integrations',
    severity: 'critical',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot: 'A recap of something that had worked before, or a sentence about what will be done.',
    causes: FAILURE_NOT_HANDLED,
    check: 'Read what the agent is told to do when {place} does not succeed.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    return reading.claims
      .filter((claim) => claim.verdict === 'after_failure' || claim.verdict === 'contradicted')
      .map((claim) => ({
        turnIndex: claim.turn,
        quote: claim.text,
        detail: `The agent says so, but the last result of "${claim.use?.name ?? 'the tool'}" was ${claim.verdict === 'after_failure' ? 'an error' : 'a refusal'}: ${(claim.use?.message ?? 'no message').slice(0, 160)}`,
        place: claim.use === null ? placeAt(reading, claim.turn) : toolPlace(claim.use),
        confidence: claim.verdict === 'after_failure' ? 0.8 : 0.6,
        facts: { kind: claim.kind, ...failureHandling(reading.configuration, claim.use) },
      }));
  },
};
