import { says } from '../acts/spoken-turn.ts';
import { quotePhrase } from '../calls/quotes.ts';
import type { CatalogueEntry, Detector } from './catalogue-entry.ts';
import { missingPhrases } from './needs.ts';
import { AGENT } from './places.ts';

/** One detector for each kind of call that is nobody's fault: somebody else was meant, something is sold, somebody tries the agent. */
export function callerKindDetector(given: { entry: CatalogueEntry; list: string; detail: string }): Detector {
  return {
    entry: given.entry,
    detect(reading) {
      const missing = missingPhrases(reading);
      if (missing !== null) return missing;
      const turn = reading.caller.find((one) => says(one, given.list));
      if (turn === undefined) return [];
      return [
        {
          turnIndex: turn.index,
          quote: quotePhrase(turn, given.list),
          detail: given.detail,
          place: AGENT,
          confidence: 0.6,
          candidate: true,
        },
      ];
    },
  };
}
