import type { Detector } from '../catalogue-entry.ts';
import { BACKGROUND_NOISE } from '../entries/hearing.ts';
import { limit, missingRecording } from '../needs.ts';
import { TELEPHONY } from '../places.ts';

/** The caller is hardly louder than what is around them. */
export const backgroundNoise: Detector = {
  entry: BACKGROUND_NOISE,
  detect(reading, _input, thresholds) {
    const missing = missingRecording(reading);
    if (missing !== null) return missing;
    const { sides, mixed } = reading.call.heard ?? {};
    const line = sides?.caller ?? mixed;
    if (line?.snrDb == null) return { reason: 'The recording of this call has no pauses in which noise is heard.' };
    if (line.snrDb >= limit(thresholds, 'snrDb')) return [];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The caller is ${line.snrDb.toFixed(0)} dB louder than the noise around them.`,
        place: TELEPHONY,
        confidence: 0.8,
      },
    ];
  },
};
