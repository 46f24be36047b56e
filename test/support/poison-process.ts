import { endWithParent } from '../../src/analyser/end-with-parent.ts';
import { WORK, type WorkRequest } from '../../src/analyser/work.ts';
import type { DetectorInput } from '../../src/domain/signals/detector-input.ts';

/** The analysis process with calls built in that no rule of the product should ever meet. */
process.on('message', ({ work, args }: WorkRequest) => {
  const [{ call }] = args as [Pick<DetectorInput, 'call'>];
  if (call.providerCallId.startsWith('throws')) return process.send?.({ error: 'RangeError: poison' });
  if (call.providerCallId.startsWith('loops')) for (;;);
  if (call.providerCallId.startsWith('exhausts')) {
    const held: unknown[] = [];
    for (;;) held.push(new Array(4_000_000).fill(held.length + 0.5));
  }
  const run: (...given: never[]) => unknown = WORK[work];
  return process.send?.({ result: run(...(args as never[])) });
});
endWithParent();
process.send?.({ ready: true });
