import { analyseAndJudge } from '../../src/domain/signals/analyse-call.ts';
import type { AnalysisAnswer, AnalysisRequest } from './analyser.ts';
import { endWithParent } from './end-with-parent.ts';

/** The process that `analyser.ts` opens: one call in, its analysis or the error out. */
process.on('message', (request: AnalysisRequest) => {
  process.send?.(answer(request));
});
endWithParent();
process.send?.({ ready: true } satisfies AnalysisAnswer);

function answer({ input, thresholds, watches }: AnalysisRequest): AnalysisAnswer {
  try {
    return analyseAndJudge(input, thresholds, watches);
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown error' };
  }
}
