import type { AnalysisRequest } from '../../activities/analyse-calls/analyser.ts';
import { endWithParent } from '../../activities/analyse-calls/end-with-parent.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';

/** The analysis process with calls built in that no rule of the product should ever meet. */
process.on('message', ({ input, thresholds }: AnalysisRequest) => {
  const { providerCallId } = input.call;
  if (providerCallId.startsWith('throws')) return process.send?.({ error: 'RangeError: poison' });
  if (providerCallId.startsWith('loops')) for (;;);
  if (providerCallId.startsWith('exhausts')) {
    const held: unknown[] = [];
    for (;;) held.push(new Array(4_000_000).fill(held.length + 0.5));
  }
  return process.send?.({ analysis: analyseCall(input, thresholds) });
});
endWithParent();
process.send?.({ ready: true });
