import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  workflowInfo,
} from '@temporalio/workflow';
import type { PageRequest, PageResult, PartialPage } from '../../activities/import-calls/page.ts';
import type { RetryRequest, RetryResult } from '../../activities/import-calls/retry-failed.ts';
import type { Asking, ImportInput, ImportPlan, ImportResult, SkippedItem } from '../../src/temporal/import-calls.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { type AnalysisWindows, openWindows } from './analysis-windows.ts';
import { type ImportControls, listenForControls } from './controls.ts';
import { figures } from './details.ts';
import { startWaiting, type Waiting } from './platform-waits.ts';
import { type ShownProgress, showProgress } from './progress.ts';
import { type Reports, reportTo } from './reports.ts';
import { beginAgain, beginSlices, endSlice } from './slices.ts';
import { countAnalysed, countPage, countRetried, countWaiting, type ImportState, openState } from './state.ts';

/** Pages of one execution before it continues as new, however short its history is. */
const PAGES_OF_ONE_RUN = 200;
/** The first issues show after the first window, later ones every few. */
const GROUP_EVERY_WINDOWS = 5;
const LEFTOVERS_AT_ONCE = 500;
/** Rounds over what earlier imports left; each takes calls out of waiting, so far fewer are met. */
const LEFTOVER_ROUNDS = 1_000;

/**
 * One import: versions, then pages newest first with their analysis beside them, then what failed before, then what an
 * earlier crash left, then the issues. Ends complete, failed with a sentence, or cancelled with what it has.
 */
export async function importCalls(input: ImportInput): Promise<ImportResult> {
  const state = openState(input);
  const { key } = state;
  const shown = showProgress(state);
  const reports = reportTo(input);
  const controls = listenForControls(state, { park: (item) => park(input, item), onChange: shown.changed });
  let end: Pick<ImportResult, 'status' | 'reason'>;
  let heldUntil: string | null = null;
  try {
    const begun = input.carried ?? (await control.beginImport(key));
    if (begun === null) {
      await reports.ended({ status: 'complete', reason: null });
      return { status: 'complete', reason: null, stored: 0, failed: 0 };
    }
    state.standing = begun.standing;
    if (begun.paused) state.paused = true;
    const parts = openParts(input, begun.plan, state, { controls, shown, reports });
    if (input.attempt > 1 && !input.carried && state.standing.counts.failed > 0) state.retryWanted = true;

    if (!input.carried) await takeVersions(parts);
    beginSlices({ plan: begun.plan, standing: state.standing });
    await storePages(parts, isTired(state.standing.pages));
    if (!state.standing.listingEnded && !state.cancelled) return await handOver(parts);
    await retryWhatFailed(parts);
    heldUntil = await analyseLeftovers(parts);
    await recomputeIssues(parts);
    end = { status: state.cancelled ? 'cancelled' : 'complete', reason: state.standing.warning ?? null };
  } catch (error) {
    end = endOf(error);
  }
  return CancellationScope.nonCancellable(async () => {
    await shown.saved();
    await condition(allHandlersFinished);
    await control.finishImport({ ...key, ...end });
    shown.ended(end);
    await reports.ended({ ...end, heldUntil });
    const { stored, failed } = state.standing.counts;
    return { ...end, stored, failed, heldUntil };
  });
}

/** What the steps of an import share. */
interface ImportParts {
  input: ImportInput;
  plan: ImportPlan;
  owner: { workspaceId: string; agentId: string; importId: string };
  state: ImportState;
  controls: ImportControls;
  shown: ShownProgress;
  waiting: Waiting;
  windows: AnalysisWindows;
}

function openParts(
  input: ImportInput,
  plan: ImportPlan,
  state: ImportState,
  { controls, shown, reports }: Pick<ImportParts, 'controls' | 'shown'> & { reports: Reports },
): ImportParts {
  const { workspaceId, agentId, importId, carried } = input;
  const owner = { workspaceId, agentId, importId };
  const windows = openWindows(owner, controls, (result, waiting) => {
    countAnalysed(state, result);
    countWaiting(state, waiting);
    shown.changed();
  });
  windows.add(carried?.waitingCallIds ?? []);
  shown.begin();
  const waiting = startWaiting(plan.patience, controls, (words, limitedUntilMs) => {
    shown.waitsFor(words);
    const { counts, pages, slice } = state.standing;
    const far = figures({ ...counts, pages, readBackTo: slice?.before ?? null });
    reports.waits(words === null ? null : `${words}, ${far}`, limitedUntilMs);
  });
  return { input, plan, owner, state, controls, shown, waiting, windows };
}

/** The agent's configurations come first: calls are read beside them. */
async function takeVersions({ input, owner, plan, waiting }: ImportParts): Promise<void> {
  if (plan.source === 'file' || input.versionsTaken) return;
  await waiting.out((isPressed) =>
    analysis('versions of the agent').captureVersions({ ...owner, asking: askingOf(input, isPressed) }),
  );
}

const askingOf = ({ lane }: ImportInput, isPressed: boolean): Asking => ({
  ...(lane === undefined ? {} : { lane }),
  isPressed,
});

/** Pages until the listing ends, somebody cancels, or the execution is tired. */
async function storePages(parts: ImportParts, isTiredAfter: (pages: number) => boolean): Promise<void> {
  const { state, shown, windows } = parts;
  while (!state.standing.listingEnded && !isTiredAfter(state.standing.pages)) {
    if ((await storePage(parts)) === 'cancelled') return;
    shown.changed();
    await windows.room();
    if (!state.grouped || state.ungrouped >= GROUP_EVERY_WINDOWS) await recomputeIssues(parts);
  }
}

/** One page, in as many goes as the platform's waits ask for. */
async function storePage(parts: ImportParts): Promise<'stored' | 'cancelled'> {
  const { input, owner, plan, state, waiting } = parts;
  const { standing } = state;
  const { kind, source, from, to } = plan;
  let partial: PartialPage | null = null;
  for (;;) {
    const { slice } = standing;
    const { storeCallPage } = analysis(`page ${standing.pages + 1}`);
    const take = plan.limit === null ? null : plan.limit - standing.counts.listed;
    const { cursor } = standing;
    const sliced = slice
      ? { slice: { since: slice.since, before: slice.before }, againSinceMs: slice.againSinceMs }
      : {};
    const request: PageRequest = { ...owner, plan: { kind, source, from, to }, ...sliced, cursor, take, partial };
    const page: PageResult | 'cancelled' = await waiting.out((isPressed) =>
      storeCallPage({ ...request, asking: askingOf(input, isPressed) }),
    );
    if (page === 'cancelled') {
      if (partial) takePage(parts, partial);
      return 'cancelled';
    }
    if (page.done) {
      standing.cursor = page.nextCursor;
      takePage(parts, page.totals);
      if (page.nextCursor === null) {
        state.timesAgain = 0;
        endSlice(plan, standing);
      }
      if (page.stalled) {
        standing.warning = `The platform repeated its list on page ${standing.pages}: older calls may be missing.`;
      }
      return 'stored';
    }
    if (page.isExpired) {
      await readSliceAgain(parts, page.wait.message);
      partial = null;
      continue;
    }
    const isFurther = page.partial.handled.length > (partial?.handled.length ?? 0);
    // A platform that lists calls and gives none would otherwise be asked for ever.
    if (!isFurther && patched('patience by progress')) waiting.notFurther();
    partial = page.partial;
    await waiting.once(page.wait);
  }
}

/** What is stored of it is counted from the record, where its pages are when nothing of them is under way. */
async function readSliceAgain({ state, windows, shown }: ImportParts, message: string): Promise<void> {
  await windows.drained();
  state.timesAgain += 1;
  beginAgain(state.standing, await control.recountImport(state.key), state.timesAgain, message);
  shown.changed();
}

function takePage(
  { state, windows }: ImportParts,
  totals: PartialPage | Extract<PageResult, { done: true }>['totals'],
) {
  countPage(state, totals);
  windows.add(totals.callIds);
  countWaiting(state, windows.waiting());
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

/** Signals become issues; nothing to do when nothing was analysed since the last time. */
async function recomputeIssues({ owner, state, shown }: ImportParts): Promise<void> {
  if (state.ungrouped === 0) return;
  state.ungrouped = 0;
  state.grouped = true;
  const before = state.standing.listingEnded || state.cancelled ? 'analysing' : 'listing';
  shown.stage('grouping');
  const { workspaceId, agentId } = owner;
  await analysis('issues of the agent').regroup({ workspaceId, agentId, mode: 'incremental' });
  shown.stage(before);
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
