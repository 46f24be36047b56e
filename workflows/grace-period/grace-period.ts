import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  GRACE_PROGRESS,
  GRACE_SIGNALS,
  GRACE_WAITS,
  type GraceInput,
  type GraceLook,
  type GraceProgress,
} from '../../src/temporal/grace-period.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis } from '../shared/activity-calls.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';
import { lookOrWait } from '../shared/look-or-wait.ts';
import { graceDetails, graceHeadline } from './details.ts';

/** Looks at the issues in one execution before it continues as new. */
const LOOKS_OF_ONE_RUN = 200;

/**
 * One an agent, for as long as the agent is there: looks at the due issues, sleeps until the earliest date that the
 * record names, and looks again, at once when it is told that a date moved. The record decides; this only wakes it.
 */
export async function graceOfAgent(input: GraceInput): Promise<void> {
  const { shortestMs, longestMs } = input.waits ?? GRACE_WAITS;
  let moved = false;
  let last: GraceLook | null = null;
  onSignal(defineSignal(GRACE_SIGNALS.moved), 'Looks at the record at once; there is no harm in it.', () => {
    moved = true;
  });
  onQuery(
    defineQuery(GRACE_PROGRESS),
    'What it waits for, and the plan of it.',
    (): GraceProgress => ({ waitsFor: graceHeadline(last), plan: last?.plan ?? null }),
  );

  for (let looks = 0; looks < LOOKS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; looks += 1) {
    moved = false;
    const { agentId, workspaceId } = input;
    const look: GraceLook | null = await lookOrWait(
      () => analysis('issues that are due').applyDueIssues({ agentId, workspaceId }),
      () => moved,
    );
    if (look === null) continue;
    if (!look.there) return;
    if (last === null || isWaiting(look) !== isWaiting(last)) {
      upsertSearchAttributes([attribute('EarshotStage', isWaiting(look) ? 'waiting' : 'idle')]);
    }
    last = look;
    setCurrentDetails(graceDetails(look));
    const { nextAt } = look.plan;
    if (nextAt === null) {
      await condition(() => moved);
      continue;
    }
    // By the database's clock, so that it does not matter when Temporal's or a worker's is wrong.
    const waitMs = Date.parse(nextAt) - Date.parse(look.now);
    await condition(() => moved, Math.min(Math.max(waitMs, shortestMs), longestMs), {
      summary: 'until the next issue is due',
    });
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof graceOfAgent>(input);
}

/** A date stands in the plan. */
const isWaiting = ({ plan }: GraceLook) => plan.nextAt !== null;
