import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { SPEECH_TOO_FAST } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { VOICE } from '../places.ts';
import { agentPace } from '../speech-pace.ts';

/** The agent speaks too fast over the whole call. */
export const speechTooFast: Detector = {
  entry: SPEECH_TOO_FAST,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const pace = agentPace(reading);
    if (pace === null) return { reason: 'The agent has too few longer turns on this call to tell its pace.' };
    if (pace.wordsPerMinute <= limit(thresholds, 'wordsPerMinute')) return [];
    return [
      {
        turnIndex: pace.fastest.index,
        quote: quoteTurn(pace.fastest),
        detail: `The agent speaks ${Math.round(pace.wordsPerMinute)} words a minute on this call, above ${limit(thresholds, 'wordsPerMinute')}.`,
        place: VOICE,
        confidence: 0.8,
      },
    ];
  },
};
