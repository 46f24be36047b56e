import type { PlatformWait } from '../../src/temporal/failures.ts';
import type { Asking, FailureReason, ImportPlan } from '../../src/temporal/import-calls.ts';
import type { RecordOwner } from './store-readings.ts';

export interface PageRequest extends RecordOwner {
  plan: Pick<ImportPlan, 'kind' | 'source' | 'from' | 'to'>;
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
  | { done: false; partial: PartialPage; wait: PlatformWait };

export interface PageTotals {
  /** Records that the page named. */
  listed: number;
  /** Stored and now waiting for their analysis. */
  callIds: string[];
  unchanged: number;
  ongoing: number;
  gone: number;
  failed: number;
  reasons: FailureReason[];
  oldestOngoingAt: string | null;
}
