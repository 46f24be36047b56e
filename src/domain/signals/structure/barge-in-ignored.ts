import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { BARGE_IN_IGNORED } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { TURN_TAKING } from '../places.ts';

const FEWEST_WORDS = 3;

/** The caller speaks up, and the agent goes on talking. */
export const bargeInIgnored: Detector = {
  entry: BARGE_IN_IGNORED,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const ignored = (reading.timing?.bargeIns ?? []).filter((one) => {
      const spoken = reading.spokenAt.get(one.caller.index);
      return spoken !== undefined && spoken.words.length >= FEWEST_WORDS && one.yieldMs > limit(thresholds, 'yieldMs');
    });
    const decisive = ignored[limit(thresholds, 'times') - 1];
    const spoken = decisive === undefined ? undefined : reading.spokenAt.get(decisive.caller.index);
    if (decisive === undefined || spoken === undefined) return [];
    return [
      {
        turnIndex: spoken.index,
        quote: quoteTurn(spoken),
        detail: `The agent went on for ${(decisive.yieldMs / 1000).toFixed(1)} s after the caller had begun to speak.`,
        place: TURN_TAKING,
        confidence: 0.8,
      },
    ];
  },
};
