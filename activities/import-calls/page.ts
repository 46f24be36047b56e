import type { Slice } from '../../src/domain/calls/slices.ts';
import type { PlatformWait } from '../../src/temporal/failures.ts';
import type { Asking, FailureReason, ImportPlan } from '../../src/temporal/import-calls.ts';
import type { RecordOwner } from './store-readings.ts';

export interface PageRequest extends RecordOwner {
  plan: Pick<ImportPlan, 'kind' | 'source' | 'from' | 'to'>;
  /** The part of the listing; left out where it is read as one. */
  slice?: Slice;
  /** Since when it is read again: what this import kept before that is counted. Null where it is read once. */
  againSinceMs?: number | null;
  cursor: string | null;
  /** Most records to take of this page; null for all. */
  take: number | null;
  /** What an earlier try of the same page came to before the platform asked to wait. */
  partial: PartialPage | null;
  asking?: Asking;
}

export interface PartialPage extends PageTotals {
  /** Records of this page that are dealt with. */
  handled: string[];
  /** Tries that ended with a few calls unanswered. */
  tries: number;
}

export type PageResult =
  | { done: true; totals: PageTotals; nextCursor: string | null; stalled: boolean }
  /** `isExpired`: the platform no longer takes the cursor, so that waiting helps nothing. */
  | { done: false; partial: PartialPage; wait: PlatformWait; isExpired?: true };

export interface PageTotals {
  /** Records that the page named. */
  listed: number;
  /** Stored and now waiting for their analysis. */
  callIds: string[];
  unchanged: number;
  /** Kept with a reason by an earlier import, and not asked for again. */
  stillFailed?: number;
  ongoing: number;
  gone: number;
  failed: number;
  reasons: FailureReason[];
  oldestOngoingAt: string | null;
}
