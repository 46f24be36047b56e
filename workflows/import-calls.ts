import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import { type ImportInput, type ImportResult, type ImportStanding, NO_COUNTS } from '../src/durable/import.ts';
import { control } from './activity-calls.ts';
import { listenForControls } from './import-controls.ts';
import { sentenceOf } from './import-patience.ts';
import { showProgress } from './import-progress.ts';
import {
  analyseLeftovers,
  group,
  openStory,
  retryWhatFailed,
  type Story,
  storePages,
  takeVersions,
} from './import-story.ts';

/** Pages of one execution before it continues as new, however short its history is. */
const PAGES_OF_ONE_RUN = 200;

/**
 * One import: versions, then pages newest first with their analysis beside them, then what failed before, then what an
 * earlier crash left, then the issues. Ends complete, failed with a sentence, or cancelled with what it has.
 */
export async function importCalls(input: ImportInput): Promise<ImportResult> {
  const key = { workspaceId: input.workspaceId, importId: input.importId, attempt: input.attempt };
  const standing: ImportStanding = {
    ...(input.carried?.standing ?? { cursor: null, listingEnded: false, pages: 0, reasons: [], oldestOngoingAt: null }),
    counts: { ...(input.carried?.standing.counts ?? NO_COUNTS) },
  };
  const controls = listenForControls(input.carried);
  controls.park = ({ providerCallId, reason }) =>
    control.parkCall({ ...key, agentId: input.agentId, ref: providerCallId, reason: parkingWords(reason) });
  const shown = showProgress(key, standing, controls);
  let end: Pick<ImportResult, 'status' | 'reason'>;
  let heldUntil: string | null = null;
  try {
    const begun = input.carried ?? (await control.beginImport(key));
    if (begun === null) return { status: 'complete', reason: null, stored: 0, failed: 0 };
    Object.assign(standing, begun.standing);
    const story = openStory({ input, plan: begun.plan, standing, controls, shown });
    if (input.attempt > 1 && !input.carried && standing.counts.failed > 0) controls.retryWanted = true;

    if (!input.carried) await takeVersions(story);
    await storePages(story, isTired(standing.pages));
    if (!standing.listingEnded && !controls.cancelled) return await handOver(story);
    await retryWhatFailed(story);
    heldUntil = await analyseLeftovers(story);
    await group(story);
    end = { status: controls.cancelled ? 'cancelled' : 'complete', reason: standing.warning ?? null };
  } catch (error) {
    end = endOf(error);
  }
  return CancellationScope.nonCancellable(async () => {
    await shown.saved();
    await condition(allHandlersFinished);
    await control.finishImport({ ...key, ...end });
    shown.ended(end);
    return { ...end, stored: standing.counts.stored, failed: standing.counts.failed, heldUntil };
  });
}

const parkingWords = (reason: unknown) =>
  `Skipped by a person: ${typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, 300) : 'no reason given'}`;

function isTired(pagesBefore: number) {
  return (pages: number) => workflowInfo().continueAsNewSuggested || pages - pagesBefore >= PAGES_OF_ONE_RUN;
}

/** Goes on in a new execution with a short history; windows that run are finished first. */
async function handOver({ input, plan, standing, controls, windows, shown }: Story): Promise<never> {
  const waitingCallIds = await windows.settled();
  await shown.saved();
  await condition(allHandlersFinished);
  const { paused, cancelled, retryWanted } = controls;
  const carried = { plan, standing, waitingCallIds, paused, cancelled, retryWanted };
  return continueAsNew<typeof importCalls>({ ...input, carried });
}

/** What an import ends with when something stopped it. Continuing as new is no end and passes through. */
function endOf(error: unknown): Pick<ImportResult, 'status' | 'reason'> {
  if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
  if (isCancellation(error)) return { status: 'cancelled', reason: 'Cancelled in Temporal.' };
  return { status: 'failed', reason: sentenceOf(error) };
}
