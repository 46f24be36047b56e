import { says } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { GOODBYE_LOOP } from '../entries/flow.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';

/** The agent says goodbye again and again. */
export const goodbyeLoop: Detector = {
  entry: GOODBYE_LOOP,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const byes = reading.agent.filter((turn) => says(turn, 'goodbye'));
    const last = byes.at(-1);
    if (last === undefined || byes.length < limit(thresholds, 'times')) return [];
    const { configuration } = reading;
    return [
      {
        turnIndex: last.index,
        quote: quotePhrase(last, 'goodbye'),
        detail: `The agent said goodbye ${byes.length} times.`,
        place: placeAt(reading, last.index),
        confidence: 0.6,
        facts: {
          endTools:
            configuration === null
              ? null
              : configuration.tools.filter((tool) => tool.kind === 'end_call').length +
                configuration.nodes.filter((node) => /end/i.test(node.kind)).length,
        },
      },
    ];
  },
};
