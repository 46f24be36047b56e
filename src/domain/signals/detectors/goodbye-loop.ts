import { says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';

/** The agent says goodbye again and again. */
export const goodbyeLoop: Detector = {
  entry: entry({
    code: 'goodbye_loop',
    title: 'Goodbye without end',
    klass: 'flow',
    lane: 'flow',
    severity: 'low',
    thresholds: { times: 3 },
    needs: ['words_of_the_talk'],
    isNot: 'One goodbye answered by one goodbye.',
    section: 'improve',
    metric: 'duration_ms',
    causes: [
      {
        code: 'no_end_call_tool',
        label: 'The agent cannot end a call',
        category: 'missing_tool',
        party: 'agent',
        outside: false,
        recommendation: 'Give the agent the tool that ends the call, and use it at {place} after the goodbye.',
        evidence: (facts) =>
          facts['endTools'] === 0 ? 'None of the tools of this version ends a call, and no step does.' : null,
      },
    ],
    check: 'See what should end the call at {place} after the goodbye.',
  }),
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
