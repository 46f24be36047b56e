import { flushCompileCache } from 'node:module';
import { endWithParent } from './end-with-parent.ts';
import { WORK, type WorkAnswer, type WorkRequest } from './work.ts';

/** The process that `analyser.ts` opens: one call or body in, what was read of it or the error out. */
process.on('message', (request: WorkRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
// Its end is always a kill, and then Node keeps nothing of what it compiled.
process.once('message', () => setImmediate(flushCompileCache));
endWithParent();
process.send?.({ ready: true } satisfies WorkAnswer);

async function answer({ work, args }: WorkRequest): Promise<WorkAnswer> {
  try {
    // `analyser.ts` sends to each function the arguments that it takes.
    const run: (...given: never[]) => unknown = WORK[work];
    return { result: await run(...(args as never[])) };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown error' };
  }
}
