import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { LOW_TRANSCRIPT_CONFIDENCE } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

/** The recogniser itself is unsure of what the caller said. */
export const lowTranscriptConfidence: Detector = {
  entry: LOW_TRANSCRIPT_CONFIDENCE,
  detect(reading, _input, thresholds) {
    const rated = reading.caller.flatMap((turn) => {
      const values = (turn.turn.words ?? []).flatMap((word) => (word.confidence === null ? [] : [word.confidence]));
      return values.length === 0 ? [] : [{ turn, mean: values.reduce((sum, one) => sum + one, 0) / values.length }];
    });
    if (rated.length === 0) return { reason: 'The platform gives no confidence for the words of the caller.' };
    const low = rated.filter((one) => one.mean < limit(thresholds, 'confidence'));
    const worst = low.reduce((a, b) => (a === null || b.mean < a.mean ? b : a), low[0] ?? null);
    if (worst === null || low.length < limit(thresholds, 'turns')) return [];
    return [
      {
        turnIndex: worst.turn.index,
        quote: quoteTurn(worst.turn),
        detail: `${low.length} turns of the caller were written down with a mean confidence under ${limit(thresholds, 'confidence')}; this one with ${worst.mean.toFixed(2)}.`,
        place: RECOGNISER,
        confidence: 0.8,
      },
    ];
  },
};
