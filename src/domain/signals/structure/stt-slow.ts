import { STT_SLOW } from '../entries/timing.ts';
import { latencyDetector } from '../latency-detector.ts';
import { RECOGNISER } from '../places.ts';

export const sttSlow = latencyDetector({
  entry: STT_SLOW,
  part: 'asrMs',
  what: 'speech recognition',
  place: RECOGNISER,
});
