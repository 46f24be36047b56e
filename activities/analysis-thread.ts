import { parentPort } from 'node:worker_threads';
import { analyseCall } from '../src/domain/signals/analyse-call.ts';
import type { ThreadAnswer, ThreadRequest } from './analyser.ts';

/** The thread that `analyser.ts` opens: one call in, its analysis or the error out. */
parentPort?.on('message', ({ input, thresholds }: ThreadRequest) => {
  parentPort?.postMessage(answer({ input, thresholds }));
});

function answer({ input, thresholds }: ThreadRequest): ThreadAnswer {
  try {
    return { analysis: analyseCall(input, thresholds) };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown error' };
  }
}

parentPort?.postMessage({ ready: true } satisfies ThreadAnswer);
