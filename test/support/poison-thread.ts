import { parentPort } from 'node:worker_threads';
import type { ThreadRequest } from '../../activities/analyser.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';

/** The analysis thread with three calls built in that no rule of the product should ever meet. */
parentPort?.on('message', ({ input, thresholds }: ThreadRequest) => {
  const { providerCallId } = input.call;
  if (providerCallId.startsWith('throws')) return parentPort?.postMessage({ error: 'RangeError: poison' });
  if (providerCallId.startsWith('loops')) for (;;);
  if (providerCallId.startsWith('exhausts')) {
    const held: unknown[] = [];
    for (;;) held.push(Array.from({ length: 1_000_000 }, (_, index) => index));
  }
  return parentPort?.postMessage({ analysis: analyseCall(input, thresholds) });
});

parentPort?.postMessage({ ready: true });
