import type { AnalyseResult } from '../../activities/analyse-calls/analyse-calls.ts';
import type { PageTotals } from '../../activities/import-calls/page.ts';
import type { RetryResult } from '../../activities/import-calls/retry-failed.ts';
import {
  type FailureReason,
  type ImportInput,
  type ImportRequestKey,
  type ImportStanding,
  NO_COUNTS,
  REASONS_MAX,
} from '../../src/temporal/import-calls.ts';

/** Where an import stands, and what people want of it. */
export interface ImportState {
  readonly key: ImportRequestKey & { workspaceId: string };
  /** As the row has it; that of the record once the import has begun. */
  standing: ImportStanding;
  paused: boolean;
  cancelled: boolean;
  retryWanted: boolean;
  /** How often the present slice was begun again. */
  timesAgain: number;
  /** Windows that were analysed since the last look at the issues, and whether there was one. */
  ungrouped: number;
  grouped: boolean;
}

export function openState({ workspaceId, importId, attempt, carried }: ImportInput): ImportState {
  return {
    key: { workspaceId, importId, attempt },
    standing: carried?.standing ?? {
      cursor: null,
      listingEnded: false,
      pages: 0,
      counts: { ...NO_COUNTS },
      reasons: [],
      oldestOngoingAt: null,
    },
    paused: carried?.paused ?? false,
    cancelled: carried?.cancelled ?? false,
    retryWanted: carried?.retryWanted ?? false,
    timesAgain: 0,
    ungrouped: 0,
    grouped: carried !== undefined,
  };
}

export function countPage({ standing }: ImportState, totals: PageTotals): void {
  const { counts } = standing;
  standing.pages += 1;
  counts.listed += totals.listed;
  counts.stored += totals.callIds.length;
  counts.unchanged += totals.unchanged;
  counts.stillFailed = (counts.stillFailed ?? 0) + (totals.stillFailed ?? 0);
  counts.failed += totals.failed;
  counts.ongoing += totals.ongoing;
  counts.gone += totals.gone;
  standing.reasons = addReasons(standing.reasons, totals.reasons);
  standing.oldestOngoingAt = earlier(standing.oldestOngoingAt, totals.oldestOngoingAt);
}

export function countAnalysed(state: ImportState, { analysed, failed, reasons, held, note }: AnalyseResult): void {
  const { standing } = state;
  if (note) standing.warning ??= note;
  standing.counts.analysed += analysed;
  standing.counts.failed += failed;
  if (held) standing.heldBack = { ...held, calls: held.calls + (standing.heldBack?.calls ?? 0) };
  standing.reasons = addReasons(standing.reasons, reasons);
  if (analysed > 0 || !held) state.ungrouped += 1;
}

export function countRetried({ standing }: ImportState, result: RetryResult): void {
  const { resolved, requeued, callIds, unchanged = 0, gone = 0, reasons } = result;
  standing.counts.failed -= resolved + requeued;
  standing.counts.stored += callIds.length - requeued;
  standing.counts.unchanged += unchanged;
  standing.counts.gone += gone;
  standing.reasons = reasons;
}

/** @param inWindows calls that are stored and that no window has analysed yet */
export function countWaiting({ standing }: ImportState, inWindows: number): void {
  standing.counts.waiting = inWindows + (standing.heldBack?.calls ?? 0);
}

const earlier = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a);

/** Adds reasons up; the most frequent ones are kept. */
function addReasons(known: FailureReason[], more: readonly FailureReason[]): FailureReason[] {
  const sums = new Map(known.map(({ reason, calls }) => [reason, calls]));
  for (const { reason, calls } of more) sums.set(reason, (sums.get(reason) ?? 0) + calls);
  return [...sums]
    .map(([reason, calls]) => ({ reason, calls }))
    .sort((a, b) => b.calls - a.calls || (a.reason < b.reason ? -1 : 1))
    .slice(0, REASONS_MAX);
}
