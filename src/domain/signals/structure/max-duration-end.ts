import type { Detector } from '../catalogue-entry.ts';
import { MAX_DURATION_END } from '../entries/flow.ts';
import { missingEndReason } from '../needs.ts';
import { CALL_LIMITS } from '../places.ts';

/** The call was cut by its time limit. */
export const maxDurationEnd: Detector = {
  entry: MAX_DURATION_END,
  detect(reading) {
    const missing = missingEndReason(reading);
    if (missing !== null) return missing;
    if (reading.call.ending.family !== 'limit') return [];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The platform ended the call with "${reading.call.disconnectionReason.slice(0, 100)}" after ${Math.round(reading.call.durationMs / 1000)} s.`,
        place: CALL_LIMITS,
        confidence: 1,
      },
    ];
  },
};
