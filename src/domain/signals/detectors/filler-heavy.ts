import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FILLER_HEAVY } from '../entries/speaking.ts';
import { firstMissing, limit, missingPhrases } from '../needs.ts';
import { PROMPT } from '../places.ts';

/** Many of the agent's turns are words of waiting. */
export const fillerHeavy: Detector = {
  entry: FILLER_HEAVY,
  detect(reading, _input, thresholds) {
    const missing = firstMissing(missingPhrases(reading));
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    // A filler in front of a sentence that says something is no filler turn.
    const fillers = reading.agent.filter(
      (turn) => says(turn, 'filler') && turn.words.length <= FILLER_WORDS && !turn.asks,
    );
    const last = fillers.at(-1);
    const share = fillers.length / reading.agent.length;
    if (last === undefined || fillers.length < limit(thresholds, 'turns') || share <= limit(thresholds, 'share'))
      return [];
    return [
      {
        turnIndex: last.index,
        quote: quotePhrase(last, 'filler'),
        detail: `${fillers.length} of ${reading.agent.length} turns of the agent are words of waiting.`,
        place: PROMPT,
        confidence: 0.6,
      },
    ];
  },
};

const FILLER_WORDS = 15;
