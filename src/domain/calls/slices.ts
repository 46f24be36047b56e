const DAY_MS = 86_400_000;

/** The newest slice of a listing. */
const FIRST_DAYS = 7;
/** A slice of at most one page is followed by one of twice the length, a slice of more pages than these by one of half. */
const PAGES_OF_A_LONG_SLICE = 100;
const LONGEST_DAYS = 90;
/** Where a listing has no beginning, what is older than this is read by one slice that has none either. */
const REACH_DAYS = 2 * 365;

/**
 * A part of a listing, by the time that the platform sorts its calls by: from `since` until right before `before`
 * (ISO 8601), open where null. The slices of a listing lie side by side, newest first; what the platform sorts by no
 * time belongs to the last one, which has no `since`.
 */
export interface Slice {
  since: string | null;
  before: string | null;
}

export interface Listing {
  from: string | null;
  to: string | null;
}

export function firstSlice({ from, to }: Listing): Slice {
  if (to === null) return { since: null, before: null };
  const newestMs = Date.parse(to);
  return { since: sinceOf({ from, newestMs }, newestMs, FIRST_DAYS * DAY_MS), before: null };
}

/** The next older slice, or null after the last one. @param pages that the slice took */
export function nextSlice({ from, to }: Listing, slice: Slice, pages: number): Slice | null {
  if (slice.since === null || to === null) return null;
  const newestMs = Date.parse(to);
  const beforeMs = Date.parse(slice.since);
  const lengthMs = (slice.before === null ? newestMs : Date.parse(slice.before)) - beforeMs;
  return { since: sinceOf({ from, newestMs }, beforeMs, lengthAfter(lengthMs, pages)), before: slice.since };
}

function lengthAfter(lengthMs: number, pages: number): number {
  if (pages <= 1) return Math.min(2 * lengthMs, LONGEST_DAYS * DAY_MS);
  return pages > PAGES_OF_A_LONG_SLICE ? Math.max(lengthMs / 2, DAY_MS) : lengthMs;
}

function sinceOf(
  { from, newestMs }: { from: string | null; newestMs: number },
  beforeMs: number,
  lengthMs: number,
): string | null {
  const sinceMs = Math.round(beforeMs - lengthMs);
  const oldestMs = from === null ? newestMs - REACH_DAYS * DAY_MS : Date.parse(from);
  return sinceMs <= oldestMs ? null : new Date(sinceMs).toISOString();
}
