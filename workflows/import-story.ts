import type { PageTotals } from '../activities/page-tally.ts';
import type { RetryRequest, RetryResult } from '../activities/retry-failed.ts';
import type { PageRequest, PageResult, PartialPage } from '../activities/store-call-page.ts';
import type { ImportInput, ImportPlan, ImportStanding } from '../src/durable/import.ts';
import { analysis, control } from './activity-calls.ts';
import type { ImportControls } from './import-controls.ts';
import { startWaiting, type Waiting } from './import-patience.ts';
import { addReasons, type ShownProgress } from './import-progress.ts';
import { type AnalysisWindows, openWindows } from './import-windows.ts';

/** The first issues show after the first window, later ones every few. */
const GROUP_EVERY_WINDOWS = 5;
const LEFTOVERS_AT_ONCE = 500;
/** Rounds over what earlier imports left; each takes calls out of waiting, so far fewer are met. */
const LEFTOVER_ROUNDS = 1_000;

/** What the parts of an import share. */
export interface Story {
  input: ImportInput;
  plan: ImportPlan;
  standing: ImportStanding;
  controls: ImportControls;
  shown: ShownProgress;
  waiting: Waiting;
  windows: AnalysisWindows;
  /** Windows that were analysed since the last grouping, and whether there was one. */
  ungrouped: number;
  grouped: boolean;
}

export function openStory(parts: Pick<Story, 'input' | 'plan' | 'standing' | 'controls' | 'shown'>): Story {
  const { input, plan, standing, controls, shown } = parts;
  const windows = openWindows(ownerOf(input), controls, ({ analysed, failed, reasons, held, note }) => {
    if (note) standing.warning ??= note;
    standing.counts.analysed += analysed;
    standing.counts.failed += failed;
    if (held) standing.heldBack = { ...held, calls: held.calls + (standing.heldBack?.calls ?? 0) };
    countWaiting(story);
    standing.reasons = addReasons(standing.reasons, reasons);
    if (analysed > 0 || !held) story.ungrouped += 1;
    shown.changed();
  });
  const story: Story = {
    ...parts,
    waiting: startWaiting(plan.patience, controls, shown.waitsFor),
    windows,
    ungrouped: 0,
    grouped: input.carried !== undefined,
  };
  controls.onChange = shown.changed;
  windows.add(input.carried?.waitingCallIds ?? []);
  shown.changed();
  return story;
}

/** The agent's configurations come first: calls are read beside them. */
export async function takeVersions({ input, plan, waiting }: Story): Promise<void> {
  if (plan.source === 'file') return;
  await waiting.out(() => analysis('versions of the agent').captureVersions(ownerOf(input)));
}

/** Pages until the listing ends, somebody cancels, or the execution is tired. */
export async function storePages(story: Story, isTired: (pages: number) => boolean): Promise<void> {
  const { input, plan, standing, waiting, windows, shown } = story;
  const { kind, source, from, to } = plan;
  while (!standing.listingEnded && !isTired(standing.pages)) {
    let partial: PartialPage | null = null;
    for (;;) {
      const { storeCallPage } = analysis(`page ${standing.pages + 1}`);
      const take = plan.limit === null ? null : plan.limit - standing.counts.listed;
      const request: PageRequest = {
        ...ownerOf(input),
        plan: { kind, source, from, to },
        cursor: standing.cursor,
        take,
        partial,
      };
      const page: PageResult | 'cancelled' = await waiting.out(() => storeCallPage(request));
      if (page === 'cancelled') {
        if (partial) countPage(story, partial);
        return;
      }
      if (page.done) {
        standing.cursor = page.nextCursor;
        standing.listingEnded = page.nextCursor === null;
        countPage(story, page.totals);
        if (page.stalled) {
          standing.warning = `The platform repeated its list on page ${standing.pages}: older calls may be missing.`;
        }
        break;
      }
      partial = page.partial;
      await waiting.once(page.wait);
    }
    shown.changed();
    await windows.room();
    if (!story.grouped || story.ungrouped >= GROUP_EVERY_WINDOWS) await group(story);
  }
}

function countPage(story: Story, totals: PageTotals): void {
  const { standing, windows } = story;
  const { counts } = standing;
  standing.pages += 1;
  counts.listed += totals.listed;
  counts.stored += totals.callIds.length;
  counts.unchanged += totals.unchanged;
  counts.failed += totals.failed;
  counts.ongoing += totals.ongoing;
  counts.gone += totals.gone;
  standing.reasons = addReasons(standing.reasons, totals.reasons);
  standing.oldestOngoingAt = earlier(standing.oldestOngoingAt, totals.oldestOngoingAt);
  windows.add(totals.callIds);
  countWaiting(story);
}

function countWaiting({ standing, windows }: Story): void {
  standing.counts.waiting = windows.waiting() + (standing.heldBack?.calls ?? 0);
}

const earlier = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);

/** Records that were kept with a reason, and calls whose analysis failed, once more for each time that somebody asks. */
export async function retryWhatFailed(story: Story): Promise<void> {
  const { input, standing, controls, waiting, windows, shown } = story;
  shown.stage('analysing');
  await windows.drained();
  while (controls.retryWanted && !controls.cancelled) {
    controls.retryWanted = false;
    for (let afterId: string | null = null; ; ) {
      const request: RetryRequest = { ...ownerOf(input), afterId };
      const result: RetryResult | 'cancelled' = await waiting.out(() =>
        analysis('what failed before').retryFailed(request),
      );
      if (result === 'cancelled') break;
      standing.counts.failed -= result.resolved + result.requeued;
      standing.counts.stored += result.callIds.length - result.requeued;
      standing.reasons = result.reasons;
      windows.add(result.callIds);
      countWaiting(story);
      shown.changed();
      if (result.wait) await waiting.once(result.wait);
      else if (result.nextAfterId === null) break;
      else afterId = result.nextAfterId;
    }
    await windows.drained();
  }
}

/**
 * Calls that a crash or the plan's allowance kept from their analysis, oldest first. Those that an earlier import stored
 * count for that one. @returns when the allowance turns, where it holds calls of the agent back
 */
export async function analyseLeftovers(story: Story): Promise<string | null> {
  const { input, standing, controls, windows, shown } = story;
  const { workspaceId, agentId, importId } = input;
  const tried = new Set<string>();
  const heldBefore = standing.heldBack?.calls ?? 0;
  let heldUntil: string | null = null;
  for (let round = 0; round < LEFTOVER_ROUNDS; round += 1) {
    const left = await control.waitingCalls({ workspaceId, agentId, importId, limit: LEFTOVERS_AT_ONCE });
    const held = left.held ?? null;
    heldUntil = held?.until ?? null;
    standing.heldBack = held && held.own > 0 ? { calls: held.own, until: held.until } : null;
    countWaiting(story);
    const isNew = (id: string) => !tried.has(id);
    const [own, others] = [left.own.filter(isNew), left.others.filter(isNew)];
    if (own.length + others.length === 0) break;
    for (const id of [...own, ...others]) tried.add(id);
    const leftovers = openWindows(ownerOf(input), controls, () => {
      story.ungrouped += 1;
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
export async function group(story: Story): Promise<void> {
  if (story.ungrouped === 0) return;
  story.ungrouped = 0;
  story.grouped = true;
  const before = story.standing.listingEnded || story.controls.cancelled ? 'analysing' : 'listing';
  story.shown.stage('grouping');
  const { workspaceId, agentId } = story.input;
  await analysis('issues of the agent').regroup({ workspaceId, agentId, mode: 'incremental' });
  story.shown.stage(before);
}

function ownerOf({ workspaceId, agentId, importId }: ImportInput) {
  return { workspaceId, agentId, importId };
}
