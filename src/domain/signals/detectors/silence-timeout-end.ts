import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingEndReason } from '../needs.ts';
import { MODEL, placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';

/** The call ended by silence, and it was the agent's turn to speak. */
export const silenceTimeoutEnd: Detector = {
  entry: entry({
    code: 'silence_timeout_end',
    title: 'Agent fell silent until the call ended',
    klass: 'technical',
    lane: 'speaking',
    severity: 'high',
    needs: ['words_of_the_talk', 'end_reason'],
    fact: true,
    ending: true,
    isNot: 'Silence of the caller after a question or a goodbye of the agent.',
    check: 'See whether the model answered at all at {place}: its log, and the tools that were running.',
  }),
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
