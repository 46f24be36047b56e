import { latencyDetector } from '../latency-detector.ts';
import { MODEL } from '../places.ts';

export const llmSlow = latencyDetector({
  code: 'llm_slow',
  title: 'Slow language model',
  part: 'llmMs',
  what: 'the language model',
  place: MODEL,
  budgetMs: 2000,
});
