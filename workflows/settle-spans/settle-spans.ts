import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { SETTLE_PROGRESS, SETTLE_SIGNALS, type SettleInput, type SettleLook } from '../../src/temporal/settle-spans.ts';
import { analysis } from '../shared/activity-calls.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';
import { lookOrWait } from '../shared/look-or-wait.ts';
import { settleDetails, settleHeadline } from './details.ts';

/** Looks in one execution before it continues as new. */
const LOOKS_OF_ONE_RUN = 200;
/** A clock that runs ahead of the database's looks again this late, and not at once. */
const SHORTEST_WAIT_MS = 1_000;

/**
 * One an agent that sends spans: makes calls of those whose call is over, sleeps until the next is due by the record, and
 * looks again, at once when it is told that spans came in which are due sooner. The record decides; this only wakes it.
 */
export async function settleSpans(input: SettleInput): Promise<void> {
  let moved = false;
  let last: SettleLook | null = null;
  onSignal(defineSignal(SETTLE_SIGNALS.moved), 'Looks at the record at once; there is no harm in it.', () => {
    moved = true;
  });
  onQuery(defineQuery(SETTLE_PROGRESS), 'What it waits for, in words.', () => ({ waitsFor: settleHeadline(last) }));

  for (let looks = 0; looks < LOOKS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; looks += 1) {
    moved = false;
    const look: SettleLook | null = await lookOrWait(
      () => analysis('spans of calls that are over').settleDueSpans(input),
      () => moved,
    );
    if (look === null) continue;
    if (last === null || look.open > 0 !== last.open > 0) {
      upsertSearchAttributes([attribute('EarshotStage', look.open > 0 ? 'waiting' : 'idle')]);
    }
    last = look;
    setCurrentDetails(settleDetails(look));
    if (look.nextAt === null) {
      await condition(() => moved);
      continue;
    }
    // More ended at once than one look takes: the next begins where this one stopped.
    if (isDue(look) && look.calls > 0 && patched('looks follow each other')) continue;
    // By the database's clock, so that it does not matter when Temporal's or a worker's is wrong.
    const waitMs = Date.parse(look.nextAt) - Date.parse(look.now);
    await condition(() => moved, Math.max(waitMs, SHORTEST_WAIT_MS), { summary: 'until the next call is over' });
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof settleSpans>(input);
}

const isDue = ({ now, nextAt }: SettleLook) => nextAt !== null && Date.parse(nextAt) <= Date.parse(now);
