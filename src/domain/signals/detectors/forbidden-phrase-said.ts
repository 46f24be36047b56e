import { quoteHit } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FORBIDDEN_PHRASE_SAID } from '../entries/claims.ts';
import { findPhrase, phraseRulesOf } from '../phrase-rules.ts';
import { placeAt } from '../places.ts';

/** The agent said what it must never say. */
export const forbiddenPhraseSaid: Detector = {
  entry: FORBIDDEN_PHRASE_SAID,
  detect(reading, input) {
    const rules = phraseRulesOf(input);
    if (rules === null || rules.forbidden.length === 0)
      return { reason: 'No wording is banned by the settings or the prompt of this agent.' };
    return rules.forbidden.flatMap((phrase) => {
      const found = findPhrase(reading, phrase);
      if (found === null) return [];
      return [
        {
          turnIndex: found.turn.index,
          quote: quoteHit(found.turn, { list: 'forbidden', from: found.from, to: found.to }),
          detail: `The wording "${phrase.slice(0, 120)}" is banned.`,
          place: placeAt(reading, found.turn.index),
          confidence: 1,
        },
      ];
    });
  },
};
