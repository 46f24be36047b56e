import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingEndReason } from '../needs.ts';
import { CALL_LIMITS } from '../places.ts';

/** The call was cut by its time limit. */
export const maxDurationEnd: Detector = {
  entry: entry({
    code: 'max_duration_end',
    title: 'Call cut by the time limit',
    klass: 'flow',
    lane: 'flow',
    severity: 'medium',
    needs: ['end_reason'],
    fact: true,
    ending: true,
    isNot: 'A long call that ends by itself.',
    check: 'Compare the limit in {place} with the length of calls that succeed, and see what kept these so long.',
  }),
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
