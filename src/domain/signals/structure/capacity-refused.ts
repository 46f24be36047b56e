import type { Detector } from '../catalogue-entry.ts';
import { CAPACITY_REFUSED } from '../entries/platform.ts';
import { missingEndReason } from '../needs.ts';
import { CALL_LIMITS } from '../places.ts';

/** The account could not take the call. */
export const capacityRefused: Detector = {
  entry: CAPACITY_REFUSED,
  detect(reading) {
    const missing = missingEndReason(reading);
    if (missing !== null) return missing;
    const { ending, disconnectionReason } = reading.call;
    if (ending.family !== 'capacity') return [];
    const reason = disconnectionReason.slice(0, 200);
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The platform refused the call with "${reason}".`,
        place: CALL_LIMITS,
        confidence: 1,
        facts: { reason },
      },
    ];
  },
};
