import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  RETENTION_PROGRESS,
  RETENTION_SIGNALS,
  type RetentionFigures,
  type RetentionInput,
  type RetentionProgress,
} from '../../src/temporal/keep-retention.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis } from '../shared/activity-calls.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';
import { lookOrWait } from '../shared/look-or-wait.ts';

const STEPS_OF_ONE_RUN = 300;
const NOTHING: RetentionFigures = { payloads: 0, transcripts: 0, calls: 0, failed: 0 };

/**
 * One for the whole installation, for ever: once a day, and when a setting was changed, a pass through all agents removes
 * what is kept no longer. What is due is in the record, so that a pass may be broken off anywhere.
 */
export async function keepRetention({ pass }: RetentionInput): Promise<void> {
  const progress: RetentionProgress = { stage: 'removing', ...(pass?.figures ?? NOTHING) };
  let changed = false;
  onSignal(
    defineSignal(RETENTION_SIGNALS.changed),
    'Somebody changed for how long something is kept: looks again.',
    () => {
      changed = true;
    },
  );
  onQuery(defineQuery<RetentionProgress>(RETENTION_PROGRESS), 'What this pass has removed.', () => progress);

  let after = pass?.after ?? null;
  upsertSearchAttributes([attribute('EarshotStage', 'removing')]);
  for (let steps = 0; ; steps += 1) {
    const step = await lookOrWait(
      () => analysis('what is kept no longer').removeExpired({ after }),
      () => changed,
    );
    // A pass that is broken off begins anew: what is due is in the record.
    if (step === null) return continueAsNew<typeof keepRetention>({});
    for (const name of ['payloads', 'transcripts', 'calls', 'failed'] as const) progress[name] += step[name];
    setCurrentDetails(details(progress, step.failure));
    ({ after } = step);
    if (step.over) break;
    if (steps >= STEPS_OF_ONE_RUN || workflowInfo().continueAsNewSuggested) {
      const { stage: _, ...figures } = progress;
      return continueAsNew<typeof keepRetention>({ pass: { after, figures } });
    }
  }
  progress.stage = 'waiting';
  upsertSearchAttributes([attribute('EarshotStage', 'waiting')]);
  await condition(() => changed, '1 day');
  return continueAsNew<typeof keepRetention>({});
}

function details({ payloads, transcripts, calls, failed }: RetentionFigures, failure: string | null): string {
  const removed = `**Removed in this pass: ${payloads} payloads, the words of ${transcripts} calls, ${calls} calls**`;
  return failed === 0
    ? removed
    : `${removed}\n\nFailed on ${failed} agents, the last time with ${failure}: the next pass tries them again.`;
}
