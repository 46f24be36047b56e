import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FIRST_WORD_SLOW } from '../entries/timing.ts';
import { limit, missingTimes } from '../needs.ts';
import { TURN_TAKING } from '../places.ts';

/** The caller waits in silence after the call is connected. */
export const firstWordSlow: Detector = {
  entry: FIRST_WORD_SLOW,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const first = reading.timing?.timed[0];
    // Where a machine or another person spoke before, the agent was right to listen.
    if (
      first === undefined ||
      reading.call.turns.some((turn) => turn.index < first.index && (turn.text !== '' || turn.wordsMissing === true))
    )
      return [];
    if (first.role !== 'agent' || first.startMs <= limit(thresholds, 'slowMs')) return [];
    const spoken = reading.spokenAt.get(first.index);
    return [
      {
        turnIndex: first.index,
        quote: spoken === undefined ? '' : quoteTurn(spoken),
        detail: `The first word came ${(first.startMs / 1000).toFixed(1)} s after the call was connected.`,
        place: TURN_TAKING,
        confidence: 0.8,
      },
    ];
  },
};
