import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { RetryRequest, RetryResult } from '../../activities/import-calls/retry-failed.ts';
import type { ImportInput, ImportResult, SkippedItem } from '../../src/temporal/import-calls.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage, GaveUpWaiting, isPlatformRefusal } from '../shared/failure-message.ts';
import { openWindows } from './analysis-windows.ts';
import { importAtOnce, takeAtOnce } from './at-once.ts';
import { listenForControls } from './controls.ts';
import { storePages } from './pages.ts';
import { askingOf, type ImportParts, openParts, recomputeIssues } from './parts.ts';
import { showProgress } from './progress.ts';
import { reportTo } from './reports.ts';
import { beginSlices } from './slices.ts';
import { countRetried, countWaiting, openState } from './state.ts';

/** Pages of one execution before it continues as new, however short its history is. */
const PAGES_OF_ONE_RUN = 200;
const LEFTOVERS_AT_ONCE = 500;
/** Rounds over what earlier imports left; each takes calls out of waiting, so far fewer are met. */
const LEFTOVER_ROUNDS = 1_000;

/**
 * One import: versions, then pages newest first with their analysis beside them, then what failed before, then what an
 * earlier crash left, then the issues; one that is small, all of it at once. Ends complete, failed with a sentence, or cancelled with what it has.
 */
export async function importCalls(input: ImportInput): Promise<ImportResult> {
  const state = openState(input);
  const { key } = state;
  const shown = showProgress(state);
  const reports = reportTo(input);
  const controls = listenForControls(state, { park: (item) => park(input, item), onChange: shown.changed });
  let end: Pick<ImportResult, 'status' | 'reason'>;
  let refused = false;
  let heldUntil: string | null = null;
  try {
    const atOnce = await importAtOnce(input, state, controls);
    const begun = input.carried ?? (atOnce ? atOnce.begun : await control.beginImport(key));
    if (begun === null) {
      await reports.ended({ status: 'complete', reason: null });
      return { status: 'complete', reason: null, stored: 0, failed: 0 };
    }
    state.standing = begun.standing;
    if (begun.paused) state.paused = true;
    if (input.attempt > 1 && !input.carried && state.standing.counts.failed > 0) state.retryWanted = true;
    if (atOnce) takeAtOnce(state, begun.plan, atOnce);
    const isSettled = atOnce?.isSettled === true;
    const parts = openParts(input, begun.plan, state, { controls, shown, reports, isSettled });

    if (!input.carried && !atOnce?.versionsTaken) await takeVersions(parts);
    beginSlices({ plan: begun.plan, standing: state.standing });
    await storePages(parts, isTired(state.standing.pages), atOnce?.pages.at(-1));
    if (!state.standing.listingEnded && !state.cancelled) return await handOver(parts);
    await retryWhatFailed(parts);
    if (!isSettled) heldUntil = await analyseLeftovers(parts);
    await recomputeIssues(parts);
    end = { status: state.cancelled ? 'cancelled' : 'complete', reason: state.standing.warning ?? null };
  } catch (error) {
    end = endOf(error);
    refused = isPlatformRefusal(error) || error instanceof GaveUpWaiting;
  }
  return CancellationScope.nonCancellable(async () => {
    const standing = await shown.saved();
    await condition(allHandlersFinished);
    await control.finishImport({ ...key, ...end, ...(refused && { refused }), ...(standing && { standing }) });
    shown.ended(end);
    await reports.ended({ ...end, heldUntil });
    const { stored, failed } = state.standing.counts;
    return { ...end, stored, failed, heldUntil };
  });
}

/** The agent's configurations come first: calls are read beside them. */
async function takeVersions({ input, owner, plan, waiting }: ImportParts): Promise<void> {
  if (plan.source === 'file' || input.versionsTaken) return;
  await waiting.out((isPressed) =>
    analysis('versions of the agent').captureVersions({ ...owner, asking: askingOf(input, isPressed) }),
  );
}

/** Records that were kept with a reason, and calls whose analysis failed, once more for each time that somebody asks. */
async function retryWhatFailed({ input, owner, state, waiting, windows, shown }: ImportParts): Promise<void> {
  shown.stage('analysing');
  await windows.drained();
  while (state.retryWanted && !state.cancelled) {
    state.retryWanted = false;
    let after: Pick<RetryRequest, 'afterCallId' | 'afterId'> = { afterCallId: null, afterId: null };
    for (;;) {
      const request: RetryRequest = { ...owner, ...after };
      const result: RetryResult | 'cancelled' = await waiting.out((isPressed) =>
        analysis('what failed before').retryFailed({ ...request, asking: askingOf(input, isPressed) }),
      );
      if (result === 'cancelled') break;
      countRetried(state, result);
      windows.add(result.callIds);
      countWaiting(state, windows.waiting());
      shown.changed();
      if (result.wait) await waiting.once(result.wait);
      else if (result.nextAfterCallId) after = { afterCallId: result.nextAfterCallId, afterId: null };
      else if (result.nextAfterId === null) break;
      else after = { ...after, afterId: result.nextAfterId };
    }
    await windows.drained();
  }
}

/**
 * Calls that a crash or the plan's allowance kept from their analysis, oldest first. Those that an earlier import stored
 * count for that one. @returns when the allowance turns, where it holds calls of the agent back
 */
async function analyseLeftovers({ owner, state, controls, windows, shown }: ImportParts): Promise<string | null> {
  const { standing } = state;
  const tried = new Set<string>();
  const heldBefore = standing.heldBack?.calls ?? 0;
  let heldUntil: string | null = null;
  for (let round = 0; round < LEFTOVER_ROUNDS; round += 1) {
    const left = await control.waitingCalls({ ...owner, limit: LEFTOVERS_AT_ONCE });
    const held = left.held ?? null;
    heldUntil = held?.until ?? null;
    standing.heldBack = held && held.own > 0 ? { calls: held.own, until: held.until } : null;
    countWaiting(state, windows.waiting());
    const isNew = (id: string) => !tried.has(id);
    const [own, others] = [left.own.filter(isNew), left.others.filter(isNew)];
    if (own.length + others.length === 0) break;
    for (const id of [...own, ...others]) tried.add(id);
    const leftovers = openWindows(owner, controls, () => {
      state.ungrouped += 1;
    });
    windows.add(own);
    leftovers.add(others);
    await windows.drained();
    await leftovers.drained();
  }
  if ((standing.heldBack?.calls ?? 0) !== heldBefore) shown.changed();
  return heldUntil;
}

function park(input: ImportInput, { providerCallId: ref, reason }: SkippedItem): Promise<void> {
  const { workspaceId, agentId, importId, attempt } = input;
  const why = typeof reason === 'string' && reason.trim() !== '' ? reason.trim().slice(0, 300) : 'no reason given';
  return control.parkCall({ workspaceId, agentId, importId, attempt, ref, reason: `Skipped by a person: ${why}` });
}

function isTired(pagesBefore: number) {
  return (pages: number) => workflowInfo().continueAsNewSuggested || pages - pagesBefore >= PAGES_OF_ONE_RUN;
}

/** Goes on in a new execution with a short history; windows that run are finished first. */
async function handOver({ input, plan, state, windows, shown }: ImportParts): Promise<never> {
  const waitingCallIds = await windows.settled();
  await shown.saved();
  await condition(allHandlersFinished);
  const { standing, paused, cancelled, retryWanted } = state;
  const carried = { plan, standing, waitingCallIds, paused, cancelled, retryWanted };
  return continueAsNew<typeof importCalls>({ ...input, carried });
}

/** What an import ends with when something stopped it. Continuing as new is no end and passes through. */
function endOf(error: unknown): Pick<ImportResult, 'status' | 'reason'> {
  if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
  if (isCancellation(error)) return { status: 'cancelled', reason: 'Cancelled in Temporal.' };
  return { status: 'failed', reason: failureMessage(error) };
}
