import { latencyDetector } from '../latency-detector.ts';
import { RECOGNISER } from '../places.ts';

export const sttSlow = latencyDetector({
  code: 'stt_slow',
  title: 'Slow speech recognition',
  part: 'asrMs',
  what: 'speech recognition',
  place: RECOGNISER,
  budgetMs: 1000,
});
