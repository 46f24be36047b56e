import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_DID_NOT_FOLLOW } from '../entries/callers.ts';
import { missingPhrases } from '../needs.ts';
import { bewildered } from '../off-topic.ts';
import { placeAt } from '../places.ts';

/** The caller says that they don't follow, or that this is not what they asked. */
export const callerDidNotFollow: Detector = {
  entry: CALLER_DID_NOT_FOLLOW,
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return bewildered(reading).map((turn) => ({
      turnIndex: turn.index,
      quote: quotePhrase(turn, 'not_following'),
      detail: says(turn, 'not_following')
        ? 'The caller says that they do not follow, or that it is no answer.'
        : 'The caller answers with nothing but a "what?".',
      place: placeAt(reading, turn.index),
      confidence: 0.6,
    }));
  },
};
