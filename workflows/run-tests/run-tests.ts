import {
  allHandlersFinished,
  CancellationScope,
  condition,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow';
import { allEnded } from '../../src/temporal/all-ended.ts';
import { MAKE_COPY_PATIENCE } from '../../src/temporal/remove-copy.ts';
import {
  CELLS_OF_A_CHILD,
  cellsWorkflowId,
  type RunInput,
  type RunOutcome,
  type RunPlan,
} from '../../src/temporal/run-tests.ts';
import { cellsAttributes } from '../../src/temporal/search-attributes.ts';
import { playCells } from '../play-cells/play-cells.ts';
import { analysis, control, lasting } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';
import { listenForDecisions, type RunDecisions } from './decisions.ts';
import { type ShownRun, showRun } from './progress.ts';

/** Children at the same time: with their cells more than any number of slots, and a short history. */
const PARTS_AT_ONCE = 4;

/**
 * One run: reserve, wait for a person where the budget asks for one, play, settle with the document. The record decides
 * at each step; whatever happens on the way, the end settles the budget and leaves a result.
 */
export async function runTests(input: RunInput): Promise<void> {
  const shown = showRun(input);
  const decisions = listenForDecisions(shown);
  let outcome: RunOutcome | null;
  try {
    outcome = input.ended === undefined ? await play(input, shown, decisions) : { how: 'failed', message: input.ended };
  } catch (error) {
    outcome = isCancellation(error)
      ? { how: 'failed', message: 'Cancelled in Temporal.' }
      : { how: 'failed', message: failureMessage(error, 'run') };
  }
  await CancellationScope.nonCancellable(async () => {
    if (outcome !== null) {
      shown.stage('finishing');
      const { status, message } = await finish(input, outcome);
      shown.ended(status, message);
    }
    await condition(allHandlersFinished);
  });
}

/** @returns null where the run had ended before. */
async function play(input: RunInput, shown: ShownRun, decisions: RunDecisions): Promise<RunOutcome | null> {
  let plan: RunPlan = await control.planRun({ ...input, expired: false });
  while (plan.state === 'wait') {
    shown.waitsFor(plan.waitsFor);
    const expired = !(await condition(() => decisions.seen, Math.max(1, plan.ms), {
      summary: 'until a person decides, or nobody did',
    }));
    // Before the look: what is decided while it goes on is looked at again.
    decisions.seen = false;
    plan = await control.planRun({ ...input, expired });
  }
  switch (plan.state) {
    case 'over':
      return null;
    case 'cancelled':
      return { how: 'cancelled' };
    case 'refused':
      return { how: 'refused', message: plan.message };
    case 'play': {
      shown.playing(plan.completed, plan.total);
      const end = await decisions.untilCancelled(async () => {
        if (plan.copy === true) await makeCopy(input);
        await playParts(input, plan);
      });
      return { how: end === 'cancelled' ? 'cancelled' : 'played' };
    }
    default:
      return plan satisfies never;
  }
}

/** What is made is removed by whatever ends the run. */
function makeCopy(input: RunInput): Promise<void> {
  return patiently(
    MAKE_COPY_PATIENCE,
    async () => {},
    () => lasting('copy of the version').makeCopy(input),
  );
}

/** An end that can't be written with its document is written without: no run stays open, and no money held back. */
async function finish(input: RunInput, outcome: RunOutcome) {
  try {
    return await analysis('budget and result').finishRun({ ...input, outcome });
  } catch (error) {
    return control.abandonRun({ ...input, message: failureMessage(error, 'run') });
  }
}

/** A few parts at a time, in order. One that fails ends the run, once the others have come to their end. */
async function playParts(input: RunInput, { parts, atOnce }: Extract<RunPlan, { state: 'play' }>): Promise<void> {
  let next = 0;
  async function one(): Promise<void> {
    for (let part = parts[next]; part !== undefined; part = parts[next]) {
      next += 1;
      await playPart(input, part, atOnce);
    }
  }
  await allEnded(Array.from({ length: Math.min(PARTS_AT_ONCE, parts.length) }, one));
}

async function playPart(input: RunInput, part: number, atOnce: number): Promise<void> {
  const from = part * CELLS_OF_A_CHILD;
  await executeChild(playCells, {
    args: [{ ...input, part, from, to: from + CELLS_OF_A_CHILD, atOnce }],
    workflowId: cellsWorkflowId(input, part),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    typedSearchAttributes: cellsAttributes(input.agentId, input.runId),
    staticSummary: `Cells ${from + 1} to ${from + CELLS_OF_A_CHILD} of a run of ${input.agentName ?? input.agentId}`,
  });
}
