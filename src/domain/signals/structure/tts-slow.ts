import { TTS_SLOW } from '../entries/timing.ts';
import { latencyDetector } from '../latency-detector.ts';
import { VOICE } from '../places.ts';

export const ttsSlow = latencyDetector({
  entry: TTS_SLOW,
  part: 'ttsMs',
  what: 'speech synthesis',
  place: VOICE,
});
