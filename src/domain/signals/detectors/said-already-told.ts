import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { isAlike } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** The caller says that they have given this already. */
export const saidAlreadyTold: Detector = {
  entry: entry({
    code: 'said_already_told',
    title: 'Caller had already told',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    needs: ['words_of_the_talk'],
    isNot: '"As I said" in passing, before the agent has asked for anything twice.',
    check: 'See what the caller had given, and where {place} asks for it again.',
  }),
  detect(reading) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    return reading.caller
      .filter((turn) => turn.order > 1 && says(turn, 'already_told'))
      .map((turn) => ({
        turnIndex: turn.index,
        quote: quotePhrase(turn, 'already_told'),
        detail: describe(askedBefore(reading, turn)),
        place: placeAt(reading, turn.index),
        confidence: 0.6,
      }));
  },
};

const LOOKED_BACK = 12;

function describe(before: number | null): string {
  const told = 'The caller says that they have already given this';
  return before === null ? `${told}.` : `${told}; the agent had asked nearly the same at turn ${before}.`;
}

function askedBefore(reading: CallReading, turn: SpokenTurn): number | null {
  const asked = reading.spoken[turn.order - 1];
  if (asked?.role !== 'agent' || !asked.asks) return null;
  for (let order = asked.order - 1; order >= Math.max(0, asked.order - LOOKED_BACK); order -= 1) {
    const before = reading.spoken[order];
    if (before?.role === 'agent' && before.asks && isAlike(before.content, asked.content, 0.6)) return before.index;
  }
  return null;
}
