import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingPhrases } from '../needs.ts';
import { bewildered, takesUpNothing } from '../off-topic.ts';
import { PROMPT } from '../places.ts';
import { quoteTurn } from '../quotes.ts';

/** In an open talk the agent answers beside the matter, and the caller has shown it. */
export const replyOffTopic: Detector = {
  entry: entry({
    code: 'reply_off_topic',
    title: 'Agent answers beside the matter',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    needs: ['words_of_the_talk'],
    isNot:
      'The next question of a task, a courtesy, or a reply in other words: without a sign of the caller that the talk makes no sense nothing is said.',
    check: 'Read the replies at {place} beside what the callers had said just before.',
  }),
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
