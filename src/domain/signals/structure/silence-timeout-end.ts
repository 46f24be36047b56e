import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { SILENCE_TIMEOUT_END } from '../entries/flow.ts';
import { missingEndReason } from '../needs.ts';
import { MODEL, placeAt } from '../places.ts';

/** The call ended by silence, and it was the agent's turn to speak. */
export const silenceTimeoutEnd: Detector = {
  entry: SILENCE_TIMEOUT_END,
  detect(reading) {
    const missing = missingEndReason(reading);
    if (missing !== null) return missing;
    const last = reading.spoken.at(-1);
    if (reading.call.ending.family !== 'silence' || last === undefined || last.role !== 'caller') return [];
    const place = placeAt(reading, last.index);
    return [
      {
        turnIndex: last.index,
        quote: quoteTurn(last),
        detail: 'The agent never answered this, and the call ended by silence.',
        place: place.kind === 'node' ? place : MODEL,
        confidence: 1,
      },
    ];
  },
};
