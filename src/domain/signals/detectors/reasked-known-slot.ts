import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { isAlike } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** The agent asks for something that the caller seems to have given already. */
export const reaskedKnownSlot: Detector = {
  entry: entry({
    code: 'reasked_known_slot',
    title: 'Agent asks for what it was told',
    klass: 'flow',
    lane: 'understanding',
    severity: 'medium',
    thresholds: { alike: 0.6, withinTurns: 12 },
    needs: ['words_of_the_talk'],
    observation: true,
    isNot:
      'The same question about another thing, a question that got no answer, a read-back, or one asked again because it was not heard.',
    check: 'Compare the first answer with the second question.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return reading.agent.flatMap((turn) => {
      if (!asksForValue(turn) || turn.content.length < 2 || says(turn, 'ask_repeat')) return [];
      const first = askedBefore(reading, turn, thresholds);
      if (first === null) return [];
      return [
        {
          turnIndex: turn.index,
          quote: quoteTurn(turn),
          detail: `Nearly the same was asked at turn ${first.index}, and the caller had answered with a value.`,
          place: placeAt(reading, turn.index),
          confidence: 0.6,
          candidate: true,
        },
      ];
    });
  },
};

const OPEN = new Set('what which when where who whose how'.split(' '));

/** "Which day?", "may I have your name?"; a yes or a no ("shall I book it?") is no value that could be known already. */
function asksForValue(turn: SpokenTurn): boolean {
  if (!turn.asks || ['offers_more', 'offers_action'].some((list) => says(turn, list))) return false;
  return turn.words.some((word) => OPEN.has(word)) || turn.words.includes('your');
}

function askedBefore(reading: CallReading, turn: SpokenTurn, thresholds: Record<string, number>): SpokenTurn | null {
  const earliest = Math.max(0, turn.order - limit(thresholds, 'withinTurns'));
  for (let order = turn.order - 1; order >= earliest; order -= 1) {
    const before = reading.spoken[order];
    const answer = reading.spoken[order + 1];
    if (before?.role !== 'agent' || !before.asks || answer?.role !== 'caller' || answer.order >= turn.order) continue;
    if (answer.newSlots === 0 || !isAlike(before.content, turn.content, limit(thresholds, 'alike'))) continue;
    // With another value for the next person, leg or item the question is rightly asked again.
    return sharesFigures(before, turn) ? before : null;
  }
  return null;
}

function sharesFigures(a: SpokenTurn, b: SpokenTurn): boolean {
  const figures = (turn: SpokenTurn) =>
    turn.words.filter((word) => /^(?:\d+|first|second|third|next|other|another)$/.test(word));
  return figures(a).join(' ') === figures(b).join(' ');
}
