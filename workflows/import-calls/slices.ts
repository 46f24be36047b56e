import { ApplicationFailure, patched } from '@temporalio/workflow';
import { firstSlice, nextSlice, type Slice } from '../../src/domain/calls/slices.ts';
import {
  type ImportPlan,
  type ImportStanding,
  type KeptRecords,
  laneOf,
  type SliceStanding,
} from '../../src/temporal/import-calls.ts';

/** A platform that takes its own cursors for so short a time gets no further. */
const TIMES_AGAIN = 3;

/**
 * A backfill is read in slices of time, newest first, because a cursor of the platform lives for hours and a year takes
 * days. What is small, and what comes from elsewhere, is one listing, as is what an earlier release began.
 */
export function beginSlices({ plan, standing }: { plan: ImportPlan; standing: ImportStanding }): void {
  const isListed = standing.listingEnded || standing.cursor !== null || standing.slice;
  if (isListed || plan.source !== 'platform' || laneOf(plan) !== 'backfill') return;
  if (patched('slices of time')) standing.slice = begunWith(standing, firstSlice(plan));
}

/** After the last page of a slice: the next one, or the end of the listing. Its cursor is null. */
export function endSlice(plan: ImportPlan, standing: ImportStanding): void {
  const { slice } = standing;
  const isFull = plan.limit !== null && standing.counts.listed >= plan.limit;
  const next = slice && !isFull ? nextSlice(plan, slice, standing.pages - slice.pages) : null;
  if (next === null) standing.listingEnded = true;
  else standing.slice = begunWith(standing, next);
}

/** Begins a slice again whose cursor the platform no longer takes. @param times that it was begun again without an end */
export function beginAgain(standing: ImportStanding, kept: KeptRecords, times: number, message: string): void {
  const { slice, counts } = standing;
  if (!slice) return;
  if (times > TIMES_AGAIN) throw ApplicationFailure.nonRetryable(`${message} ${GIVE_UP}`);
  const { unchanged, ongoing, gone } = slice;
  Object.assign(counts, { unchanged, ongoing, gone, stored: kept.stored, failed: kept.unread + kept.unanalysed });
  counts.listed = kept.stored + kept.unread + unchanged + ongoing + gone;
  standing.cursor = null;
  standing.slice = { ...slice, againSinceMs: kept.atMs };
}

const GIVE_UP =
  'Its list was begun again several times and came no further; retry the import when the platform is well.';

function begunWith({ pages, counts: { unchanged, ongoing, gone } }: ImportStanding, slice: Slice): SliceStanding {
  return { ...slice, pages, unchanged, ongoing, gone, againSinceMs: null };
}
