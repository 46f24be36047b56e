import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { SPEECH_TOO_SLOW } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { VOICE } from '../places.ts';
import { agentPace } from '../speech-pace.ts';

/** The agent speaks too slowly over the whole call. */
export const speechTooSlow: Detector = {
  entry: SPEECH_TOO_SLOW,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const pace = agentPace(reading);
    if (pace === null) return { reason: 'The agent has too few longer turns on this call to tell its pace.' };
    if (pace.wordsPerMinute >= limit(thresholds, 'wordsPerMinute')) return [];
    return [
      {
        turnIndex: pace.slowest.index,
        quote: quoteTurn(pace.slowest),
        detail: `The agent speaks ${Math.round(pace.wordsPerMinute)} words a minute on this call, below ${limit(thresholds, 'wordsPerMinute')}.`,
        place: VOICE,
        confidence: 0.8,
      },
    ];
  },
};
