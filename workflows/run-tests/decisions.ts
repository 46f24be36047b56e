import { CancellationScope, defineUpdate, isCancellation, setHandler } from '@temporalio/workflow';
import { RUN_DECIDE, type RunDecided } from '../../src/temporal/run-tests.ts';
import type { ShownRun } from './progress.ts';

/** What people decide about a run, as its row has it already: the message only has the workflow look. */
export interface RunDecisions {
  /** Something was decided since this was set to false. */
  seen: boolean;
  /** Works until a person cancels the run; what is at work then is cancelled with it. */
  untilCancelled(work: () => Promise<void>): Promise<'done' | 'cancelled'>;
}

const DECISIONS = new Set(['approved', 'refused', 'cancelled']);

export function listenForDecisions(shown: ShownRun): RunDecisions {
  const scope = new CancellationScope();
  let cancelled = false;
  const decisions: RunDecisions = {
    seen: false,
    async untilCancelled(work) {
      if (cancelled) return 'cancelled';
      try {
        await scope.run(work);
        return 'done';
      } catch (error) {
        if (cancelled && isCancellation(error)) return 'cancelled';
        throw error;
      }
    },
  };
  setHandler(
    defineUpdate<void, [RunDecided]>(RUN_DECIDE),
    ({ decision }) => {
      decisions.seen = true;
      if (decision !== 'cancelled') return;
      cancelled = true;
      scope.cancel();
    },
    {
      description: 'What was decided of the run; the record of it comes first, so a person decides in Earshot.',
      validator(decided) {
        if (!DECISIONS.has(decided?.decision)) throw new Error('This is no decision about a run.');
        if (shown.isOver()) throw new Error('The run is over: there is nothing left to decide.');
        if (decided.decision !== 'cancelled' && shown.isPlaying()) {
          throw new Error('The run is being played: it waits for no approval.');
        }
      },
    },
  );
  return decisions;
}
