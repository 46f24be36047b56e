import { says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { RECOGNISER } from '../places.ts';
import { quotePhrase } from '../quotes.ts';
import { numberOf } from '../tool-causes.ts';

const LOW_CONFIDENCE = 0.6;

/** The agent asks the caller to say it again, more than once. */
export const agentAskedToRepeat: Detector = {
  entry: entry({
    code: 'agent_asked_to_repeat',
    title: 'Agent asks to repeat',
    klass: 'technical',
    lane: 'hearing',
    severity: 'medium',
    thresholds: { times: 2 },
    needs: ['words_of_the_talk'],
    isNot: 'One question for a name to be spelt, or a read-back that asks for a yes.',
    causes: [
      {
        code: 'recogniser_unsure',
        label: 'The recogniser is unsure of what it hears',
        category: 'recognition',
        party: 'platform',
        outside: false,
        recommendation: 'Give the recogniser the words that callers use here, or choose another one, at {place}.',
        evidence: (facts) => {
          const confidence = numberOf(facts['confidence']);
          return confidence !== null && confidence < LOW_CONFIDENCE
            ? `Its confidence in the turns before was ${confidence.toFixed(2)} on average.`
            : null;
        },
      },
    ],
    check: 'Listen to what callers say just before at {place}, and compare it with what was written.',
  }),
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
