import { latencyDetector } from '../latency-detector.ts';
import { VOICE } from '../places.ts';

export const ttsSlow = latencyDetector({
  code: 'tts_slow',
  title: 'Slow speech synthesis',
  part: 'ttsMs',
  what: 'speech synthesis',
  place: VOICE,
  budgetMs: 1000,
});
