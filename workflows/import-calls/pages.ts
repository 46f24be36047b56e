import { patched } from '@temporalio/workflow';
import type { PageRequest, PageResult, PartialPage } from '../../activities/import-calls/page.ts';
import type { ImportPlan } from '../../src/temporal/import-calls.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { askingOf, type ImportParts, recomputeIssues } from './parts.ts';
import { beginAgain, endSlice } from './slices.ts';
import { countPage, countWaiting, type ImportState } from './state.ts';

/** The first issues show after the first window, later ones every few. */
const GROUP_EVERY_WINDOWS = 5;

/** Pages until the listing ends, somebody cancels, or the execution is tired. */
export async function storePages(
  parts: ImportParts,
  isTiredAfter: (pages: number) => boolean,
  asked?: PageResult,
): Promise<void> {
  const { state, shown, windows } = parts;
  let begun = asked?.done === false ? asked : null;
  while (!state.standing.listingEnded && !isTiredAfter(state.standing.pages)) {
    if ((await storePage(parts, begun)) === 'cancelled') return;
    begun = null;
    shown.changed();
    await windows.room();
    if (!state.grouped || state.ungrouped >= GROUP_EVERY_WINDOWS) await recomputeIssues(parts);
  }
}

/** One page, in as many goes as the platform's waits ask for. @param begun what its first go came to, if there was one */
async function storePage(parts: ImportParts, begun: PageResult | null): Promise<'stored' | 'cancelled'> {
  const { plan, state, waiting } = parts;
  let partial: PartialPage | null = null;
  let given = begun;
  for (;;) {
    const page: PageResult | 'cancelled' = given ?? (await askForPage(parts, partial));
    given = null;
    if (page === 'cancelled') {
      if (partial) {
        countPage(state, partial);
        analyseSoon(parts, partial.callIds);
      }
      return 'cancelled';
    }
    if (page.done) {
      endPage(state, plan, page);
      analyseSoon(parts, page.totals.callIds);
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

function askForPage(
  { input, owner, plan, state, waiting }: ImportParts,
  partial: PartialPage | null,
): Promise<PageResult | 'cancelled'> {
  const { cursor, slice, pages, counts } = state.standing;
  const { kind, source, from, to } = plan;
  const { storeCallPage } = analysis(`page ${pages + 1}`);
  const take = plan.limit === null ? null : plan.limit - counts.listed;
  const sliced = slice ? { slice: { since: slice.since, before: slice.before }, againSinceMs: slice.againSinceMs } : {};
  const request: PageRequest = { ...owner, plan: { kind, source, from, to }, ...sliced, cursor, take, partial };
  return waiting.out((isPressed) => storeCallPage({ ...request, asking: askingOf(input, isPressed) }));
}

export function endPage(state: ImportState, plan: ImportPlan, page: Extract<PageResult, { done: true }>): void {
  const { standing } = state;
  standing.cursor = page.nextCursor;
  countPage(state, page.totals);
  if (page.nextCursor === null) {
    state.timesAgain = 0;
    endSlice(plan, standing);
  }
  if (page.stalled) {
    standing.warning = `The platform repeated its list on page ${standing.pages}: older calls may be missing.`;
  }
}

/** What is stored of it is counted from the record, where its pages are when nothing of them is under way. */
async function readSliceAgain({ state, windows, shown }: ImportParts, message: string): Promise<void> {
  await windows.drained();
  state.timesAgain += 1;
  beginAgain(state.standing, await control.recountImport(state.key), state.timesAgain, message);
  shown.changed();
}

function analyseSoon({ state, windows }: ImportParts, callIds: readonly string[]): void {
  windows.add(callIds);
  countWaiting(state, windows.waiting());
}
