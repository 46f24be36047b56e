import { says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';

/** The caller says that they are fed up. */
export const callerFrustrated: Detector = {
  entry: entry({
    code: 'caller_frustrated',
    title: 'Caller frustrated',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    needs: ['words_of_the_talk'],
    ending: true,
    isNot: 'A caller who is annoyed about the matter before the agent has said anything.',
    check: 'Read the two turns before at {place}: what was the caller made to do?',
  }),
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller
      .filter((turn, at) => at > 0 && says(turn, 'frustrated'))
      .map((turn) => ({
        turnIndex: turn.index,
        quote: quotePhrase(turn, 'frustrated'),
        detail: 'The caller says that they are frustrated.',
        place: placeAt(reading, turn.index),
        confidence: 0.6,
      }));
  },
};
