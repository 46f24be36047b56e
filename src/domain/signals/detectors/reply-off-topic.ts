import type { Detector } from '../catalogue-entry.ts';
import { REPLY_OFF_TOPIC } from '../entries/flow.ts';
import { missingPhrases } from '../needs.ts';
import { bewildered, takesUpNothing } from '../off-topic.ts';
import { PROMPT } from '../places.ts';
import { quoteTurn } from '../quotes.ts';

/** In an open talk the agent answers beside the matter, and the caller has shown it. */
export const replyOffTopic: Detector = {
  entry: REPLY_OFF_TOPIC,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    if (reading.tools.length > 0 || reading.nodes.length > 0) {
      return {
        reason: 'Where tools or steps lead the talk, an agent rightly asks for things that the caller has not named.',
      };
    }
    if (bewildered(reading).length === 0) return [];
    return reading.agent
      .filter((turn) => takesUpNothing(reading, turn))
      .map((turn) => ({
        turnIndex: turn.index,
        quote: quoteTurn(turn),
        detail:
          'The reply takes up no word of what the caller had said, and the caller shows that the talk makes no sense.',
        place: PROMPT,
        confidence: 0.6,
      }));
  },
};
