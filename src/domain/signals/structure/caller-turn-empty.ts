import type { Detector } from '../catalogue-entry.ts';
import { CALLER_TURN_EMPTY } from '../entries/hearing.ts';
import { limit, missingTimes } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

const NOTHING_HEARD = /^\s*(?:[[(<]\s*(?:inaudible|unintelligible|unclear|noise)\s*[\])>]\s*)?$/i;

/** The caller spoke, and nothing was written down. */
export const callerTurnEmpty: Detector = {
  entry: CALLER_TURN_EMPTY,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    if (reading.caller.length === 0)
      return { reason: 'No turn of the caller holds words, so an empty one means nothing.' };
    return (reading.timing?.timed ?? [])
      .filter(
        (turn) =>
          turn.role === 'caller' &&
          turn.wordsMissing !== true &&
          turn.endMs - turn.startMs >= limit(thresholds, 'spokenMs') &&
          NOTHING_HEARD.test(turn.text.slice(0, 60)),
      )
      .map((turn) => ({
        turnIndex: turn.index,
        quote: turn.text.trim(),
        detail: `The caller spoke for ${((turn.endMs - turn.startMs) / 1000).toFixed(1)} s and nothing was written down.`,
        place: RECOGNISER,
        confidence: 0.8,
      }));
  },
};
