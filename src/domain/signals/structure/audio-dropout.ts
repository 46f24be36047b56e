import { turnAtMs } from '../../sound/turn-at.ts';
import type { Detector } from '../catalogue-entry.ts';
import { AUDIO_DROPOUT } from '../entries/hearing.ts';
import { limit, missingRecording } from '../needs.ts';
import { TELEPHONY } from '../places.ts';

/** The line cuts out within speech, more than once a minute. */
export const audioDropout: Detector = {
  entry: AUDIO_DROPOUT,
  detect(reading, _input, thresholds) {
    const { heard } = reading.call;
    const missing = missingRecording(reading);
    if (missing !== null || heard === undefined) return missing ?? [];
    const lines = [heard.sides?.caller, heard.sides?.agent, heard.mixed].filter((line) => line != null);
    const known = lines.flatMap(({ dropouts }) => (dropouts === null ? [] : [dropouts]));
    if (known.length === 0) {
      return { reason: 'The platform mutes the pauses of this recording, so a cut-out can not be told from a pause.' };
    }
    const all = known.flat().sort((a, b) => a.startMs - b.startMs);
    const [first] = all;
    const minutes = heard.durationMs / 60_000;
    if (first === undefined || all.length < limit(thresholds, 'times')) return [];
    if (all.length / Math.max(minutes, 1) <= limit(thresholds, 'perMinute')) return [];
    return [
      {
        turnIndex: turnAtMs(reading.call.turns, heard, first.startMs) ?? reading.lastIndex,
        quote: '',
        detail: `The sound cut out ${all.length} times within speech, first ${(first.startMs / 1000).toFixed(1)} s into the recording.`,
        place: TELEPHONY,
        confidence: 0.8,
      },
    ];
  },
};
