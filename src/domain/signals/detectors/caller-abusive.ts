import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_ABUSIVE } from '../entries/callers.ts';
import { missingPhrases } from '../needs.ts';
import { AGENT } from '../places.ts';

/** The caller insults or threatens. What callers do is never a finding about the agent. */
export const callerAbusive: Detector = {
  entry: CALLER_ABUSIVE,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller
      .filter((turn) => says(turn, 'abusive'))
      .map((turn) => ({
        turnIndex: turn.index,
        quote: quotePhrase(turn, 'abusive'),
        detail: 'The caller insults or threatens.',
        place: AGENT,
        confidence: 0.6,
      }));
  },
};
