import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { AGENT_ASKED_TO_REPEAT } from '../entries/hearing.ts';
import { limit, missingPhrases } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

/** The agent asks the caller to say it again, more than once. */
export const agentAskedToRepeat: Detector = {
  entry: AGENT_ASKED_TO_REPEAT,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const asked = reading.agent.filter((turn) => says(turn, 'ask_repeat'));
    const decisive = asked[limit(thresholds, 'times') - 1];
    if (decisive === undefined) return [];
    const heard = asked
      .flatMap((turn) => reading.spoken[turn.order - 1]?.turn.words ?? [])
      .flatMap((word) => (word.confidence === null ? [] : [word.confidence]));
    return [
      {
        turnIndex: decisive.index,
        quote: quotePhrase(decisive, 'ask_repeat'),
        detail: `The agent asked ${asked.length} times to hear something again.`,
        place: RECOGNISER,
        confidence: 0.6,
        facts: { confidence: heard.length === 0 ? null : heard.reduce((sum, one) => sum + one, 0) / heard.length },
      },
    ];
  },
};
