import { LLM_SLOW } from '../entries/timing.ts';
import { latencyDetector } from '../latency-detector.ts';
import { MODEL } from '../places.ts';

export const llmSlow = latencyDetector({
  entry: LLM_SLOW,
  part: 'llmMs',
  what: 'the language model',
  place: MODEL,
});
